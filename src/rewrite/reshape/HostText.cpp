// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/HostText.h"

#include "rewrite/launches/GridText.h"

namespace heddle::rewrite::reshape {

std::string packedBlock(const Source& source, const LaunchShape& shape, std::size_t axis,
                        int count) {
  const auto& [x, y, z] = shape.block;
  if (axis == 0)
    return y * z == 1 ? std::to_string(count) : fmt::format("dim3({}, {}, {})", count, y, z);
  if (axis == 2)
    return fmt::format("dim3({}, {}, {})", x, y, count);
  const std::string written = source.textOf(shape.blockRange);
  const bool isWord = written.find_first_of(" (){}+-*/?.") == std::string::npos;
  const clang::Expr& block = *shape.call->getConfig()->getArg(1);
  const std::string first = isWord && namedDim3(block) == nullptr ? written : std::to_string(x);
  return z == 1 ? fmt::format("dim3({}, {})", first, count)
                : fmt::format("dim3({}, {}, {})", first, count, z);
}

} // namespace heddle::rewrite::reshape
