// SPDX-License-Identifier: Apache-2.0
//
// A gate in front of each arm of a kernel's branch, which only the code for that arm passes:
//
//   if (c) {                    if (c) {
//     A;                          if (Way != 0)
//   } else           ==>            return;
//     B;                          A;
//                               } else {
//                                 if (Way != 1)
//                                   return;
//                                 B;
//                               }
//
// Way is a constant, so that code for one way has the registers of one arm.
#pragma once

#include "rewrite/split_branch/KernelBranch.h"

#include <functional>
#include <string>

namespace heddle::rewrite::split_branch {

/// "Way", or another name that the kernel does not have.
std::string wayName(const Source& source, const clang::FunctionDecl& kernel);

/// What the statement of the gate in front of an arm returns: "" or a number.
using GateValue = std::function<std::string(std::size_t arm)>;

/// `way` is the constant's name. An arm that is not written, such as a missing else, gets its gate
/// where there is code behind the branch.
/// Refuses with: macro-in-the-way.
Legal<Edits> gateWays(const Source& source, const KernelBranch& kernel, const std::string& way,
                      const GateValue& value);

} // namespace heddle::rewrite::split_branch
