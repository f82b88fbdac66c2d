// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches/FewerBlocks.h"

#include "rewrite/code/FreshNames.h"
#include "rewrite/launches/GridText.h"
#include "rewrite/launches/KernelLaunches.h"
#include "rewrite/launches/KernelParameter.h"

namespace heddle::rewrite {

std::optional<FewerBlocks> fewerBlocks(const Source& source, const clang::FunctionDecl& kernel,
                                       int count, Told told) {
  const auto launches = findLaunches(source, kernel);
  const auto body = source.rangeOf(*kernel.getBody());
  if (!launches || !body || !declarationsOf(source, kernel))
    return std::nullopt;
  FewerBlocks fewer;
  if (told != Told::Nothing) {
    fewer.parameter = FreshNames(source, kernel).make("blocks");
    const std::string type = told == Told::Along ? "unsigned " : "dim3 ";
    if (!addParameter(source, kernel, type + fewer.parameter, fewer.edits))
      return std::nullopt;
  }
  const HostValues values(source.ast());
  for (const Launch& launch : *launches) {
    const auto* call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(launch.call);
    const auto grid = call != nullptr ? writtenGrid(source, values, *call) : std::nullopt;
    const auto divided = grid ? dividedGrid(source, *grid, count) : std::nullopt;
    const auto end = divided ? source.rangeOf(call->getRParenLoc()) : std::nullopt;
    if (!end || body->contains(grid->gridRange))
      return std::nullopt;
    fewer.edits.replace(grid->gridRange, divided->text);
    if (told != Told::Nothing)
      fewer.edits.insert(
          end->begin, (call->getNumArgs() == 0 ? "" : ", ") +
                          (told == Told::Along ? divided->blocks : source.textOf(grid->gridRange)));
  }
  return fewer;
}

} // namespace heddle::rewrite
