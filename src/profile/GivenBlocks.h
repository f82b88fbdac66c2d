// SPDX-License-Identifier: Apache-2.0
//
// Blocks of another size than a program launches, for kernels to which it makes no difference:
// "_Z4stepPfi@65536=64" in the environment of the program that runs them.
#pragma once

#include "support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

using Extent = std::array<int, 3>;

/// "128", "16x8" or "8x8x4".
Expected<Extent> parseExtent(std::string_view text);
/// Without the axes that are 1 at its end.
std::string writeExtent(const Extent& extent);

struct GivenBlock {
  std::string kernel;     ///< as KernelProfile::id
  std::uint64_t size = 0; ///< threads of the launches it is meant for
  Extent block = {1, 1, 1};

  bool operator==(const GivenBlock&) const = default;
};
using GivenBlocks = std::vector<GivenBlock>;

/// "KERNEL@SIZE=BLOCK", separated by semicolons; nothing in an empty text.
Expected<GivenBlocks> parseGivenBlocks(std::string_view text);
std::string writeGivenBlocks(const GivenBlocks& given);

/// That of the kernel whose size is nearest, by its ratio; nullptr: none is given.
const GivenBlock* nearestBlock(const GivenBlocks& given, std::string_view kernel,
                               std::uint64_t size);

/// As many blocks of that size as cover all threads of the grid, by axis.
Extent coveringGrid(const Extent& grid, const Extent& block, const Extent& wanted);

std::uint64_t threadsOf(const Extent& extent);

} // namespace heddle::profile
