// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/LaunchShape.h"

#include "rewrite/reshape/Refusals.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite::reshape {
namespace {

/// The constant size; nothing where it is none, or no block can have it.
std::optional<Block> blockOf(const HostValues& values, const clang::Expr& written) {
  const auto known = values.dim3Of(written);
  if (!known)
    return std::nullopt;
  Block block = {1, 1, 1};
  std::int64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const clang::Expr* part = known->axes[axis]) {
      const auto number = values.numberOf(*part);
      if (!number || *number < 1 || *number > mostThreads)
        return std::nullopt;
      block[axis] = int(*number);
      threads *= *number;
    }
  return threads <= mostThreads ? std::optional(block) : std::nullopt;
}

bool isZero(const HostValues& values, const clang::Expr& shared) {
  return llvm::isa<clang::CXXDefaultArgExpr>(shared) || values.numberOf(shared) == 0;
}

Legal<LaunchShape> readShape(const Source& source, const HostValues& values, const Launch& launch,
                             const std::string& kernel) {
  LaunchShape shape;
  const int line = source.lineOf(launch.call->getBeginLoc());
  shape.call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(launch.call);
  if (shape.call == nullptr)
    return refuse(refusals["launch-by-runtime"], "line {} launches {} by a function of the runtime",
                  line, kernel);
  const clang::CallExpr& configuration = *shape.call->getConfig();
  if (configuration.getNumArgs() > 2 && !isZero(values, *configuration.getArg(2)))
    return refuse(refusals["dynamic-shared"], "line {} launches {} with shared memory", line,
                  kernel);
  const clang::Expr& blockText = *configuration.getArg(1);
  const auto grid = writtenGrid(source, values, *shape.call);
  const auto block = source.rangeOf(blockText.getSourceRange());
  if (!grid || !block)
    return refuse(refusals["launch-in-macro"], "line {} launches {} in a macro or another file",
                  line, kernel);
  const auto size = blockOf(values, blockText);
  if (!size)
    return refuse(refusals["launch-shape"], "line {} launches {} with blocks of '{}' threads", line,
                  kernel, source.textOf(*block));
  static_cast<WrittenGrid&>(shape) = *grid;
  shape.blockRange = *block;
  shape.block = *size;
  return shape;
}

} // namespace

Legal<std::vector<LaunchShape>> readShapes(const Source& source, const HostValues& values,
                                           const std::vector<Launch>& launches,
                                           const std::string& kernel) {
  std::vector<LaunchShape> shapes;
  for (const Launch& launch : launches) {
    auto shape = readShape(source, values, launch, kernel);
    if (!shape)
      return tl::unexpected(shape.error());
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

int threadsOf(const Block& block) {
  return block[0] * block[1] * block[2];
}

} // namespace heddle::rewrite::reshape
