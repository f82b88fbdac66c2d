// SPDX-License-Identifier: Apache-2.0
//
// The text of a call of one of the device library's loops.
#pragma once

#include "rewrite/ways/WayLoop.h"

namespace heddle::rewrite {

/// `call` and the parts of the loop as lambdas, each begun with `opening`; `first` is the argument
/// in front of them, where there is one. Takes the place of the loop, whose indentation it has.
std::string loopCall(const Source& source, const WayLoop& loop, const std::string& call,
                     const std::string& first, const std::string& opening);

} // namespace heddle::rewrite
