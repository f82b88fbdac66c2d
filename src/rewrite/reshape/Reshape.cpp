// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/Reshape.h"

#include "rewrite/reshape/OtherBlocks.h"
#include "rewrite/reshape/Packs.h"
#include "rewrite/reshape/Price.h"
#include "rewrite/reshape/Refusals.h"
#include "support/LaneMask.h"

#include <algorithm>

namespace heddle::rewrite::reshape {
namespace {

constexpr std::string_view forms[] = {"blocks", "packs"};

bool areGood(int threads) {
  return threads % warpSize == 0 && threads > warpSize;
}

tl::unexpected<Refusal> wholeWarps(const std::string& kernel, int threads) {
  return refuse(refusals["whole-warps"], "{} has blocks of {} threads", kernel, threads);
}

/// Why the host's text cannot be read is no news where a run had nothing to wish for.
tl::unexpected<Refusal> unreadable(const Target& target, const Refusal& why) {
  const int threads = threadsOf(target.measured.block);
  return areGood(threads) ? wholeWarps(target.kernel->getNameAsString(), threads)
                          : tl::unexpected(why);
}

} // namespace

Legal<std::vector<Proposal>> proposeReshape(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::string name = kernel.getNameAsString();
  const auto launches = findLaunches(source, kernel);
  if (!launches)
    return unreadable(target, launches.error());
  const HostValues values(source.ast());
  const auto shapes = readShapes(source, values, *launches, name);
  if (!shapes)
    return unreadable(target, shapes.error());
  const int threads = threadsOf(shapes->front().block);
  if (std::ranges::all_of(*shapes,
                          [](const LaunchShape& each) { return areGood(threadsOf(each.block)); }))
    return wholeWarps(name, threads);
  for (const LaunchShape& each : *shapes)
    if (each.block != shapes->front().block)
      return refuse(refusals["launch-shape"], "{} is launched with {} and with {} threads a block",
                    name, threads, threadsOf(each.block));
  const auto uses = findBlockUses(source, kernel);
  if (!uses)
    return tl::unexpected(uses.error());
  if (auto others = proposeOtherBlocks(source, target, values, *uses, *shapes); !others.empty())
    return others;
  return proposePacks(source, target, *uses, *shapes);
}

const Rewrite room{
    .name = "reshape",
    .summary = "other blocks for launches whose blocks are no whole number of warps",
    .forms = forms,
    .formsAreAlike = true,
    .ofKernel = true,
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeReshape,
    .price = priceReshape,
};

} // namespace heddle::rewrite::reshape
