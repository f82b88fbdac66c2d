// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::engine {

/// Whether blocks of a kernel can tell in global memory which of them came first: by an atomic
/// whose answer is used or whose outcome depends on the order (an exchange, a sum of floats), or by
/// a volatile or atomic load. Such blocks run in one defined order, or two runs would differ.
/// Integers that are added, or of which the largest is kept, come to the same in any order. What
/// plain loads see of other blocks' stores is a race on a GPU too, and is not looked for.
bool blocksMeet(const std::vector<llvm::Function*>& functions);

} // namespace heddle::engine
