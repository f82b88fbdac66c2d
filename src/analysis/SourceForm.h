// SPDX-License-Identifier: Apache-2.0
//
// Device code in the form in which people wrote it, for analyses that speak of the source: every
// if, loop and && is still a branch of its own, at its place. Only what stands between a condition
// and what it is computed from is removed: calls, variables in memory, branches on constants.
#pragma once

#include "frontend/CompilerFlags.h"

#include <llvm/IR/Module.h>

namespace heddle::analysis {

/// The compiler's flags for it: no optimisation, but code that passes may still work on.
frontend::CompilerFlags sourceFormFlags(frontend::CompilerFlags flags);

/// Inlines what is called, puts variables into registers, folds constants. Functions have one
/// return and LCSSA form afterwards.
void bringToSourceForm(llvm::Module& module);

} // namespace heddle::analysis
