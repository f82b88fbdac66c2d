// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a module do that costs lanes or is undefined, seen without running them.
// docs/check.md lists the ids, docs/design/check.md what is silent and why.
#pragma once

#include "analysis/Findings.h"

#include <llvm/IR/Module.h>

namespace heddle::analysis {

/// In the order of the source, each place and id once. Brings the module into source form. With
/// `data`, branches on what threads have read count.
Findings checkKernels(llvm::Module& module, bool data);

/// Every id there is.
std::vector<std::string> findingIds();

} // namespace heddle::analysis
