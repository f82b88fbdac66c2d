// SPDX-License-Identifier: Apache-2.0
//
// One parameter more for a kernel.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <string>

namespace heddle::rewrite {

/// Behind the others, in each declaration: "unsigned blocks".
/// Refuses with: unfit-parameters, macro-in-the-way, and as declarationsOf does.
Legal<void> addParameter(const Source& source, const clang::FunctionDecl& kernel,
                         const std::string& parameter, Edits& edits);

} // namespace heddle::rewrite
