// SPDX-License-Identifier: Apache-2.0
//
// A launch of fewer blocks, each of which does the work of several, for a kernel that is told how
// many there were:
//
//   k<<<((n + 255) / 256 + 3) / 4, 256>>>(in, n, (n + 255) / 256);
//
// Without it the blocks that are left over come and go, and the others are spread unevenly: a GPU
// that cannot hold a whole grid does not deal its first blocks out one by one. On an H200 586
// working blocks of 2344 took 55 us, and 586 of 586 took 35.
#pragma once

#include "rewrite/code/Source.h"

#include <optional>
#include <string>

namespace heddle::rewrite {

/// What the kernel is told of the blocks that there were.
enum class Told {
  Nothing,
  Along, ///< how many along x
  Shape, ///< a dim3
};

struct FewerBlocks {
  Edits edits;           ///< of the launches, and of the kernel's parameters
  std::string parameter; ///< its name; empty: there is none
};

/// Of each `count` blocks along x one stays. Nothing where a launch or a declaration cannot be
/// changed: one is in another file, in a macro, or made by the runtime.
std::optional<FewerBlocks> fewerBlocks(const Source& source, const clang::FunctionDecl& kernel,
                                       int count, Told told);

} // namespace heddle::rewrite
