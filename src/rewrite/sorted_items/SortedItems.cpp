// SPDX-License-Identifier: Apache-2.0
//
//   1. The kernel's branches that lose lanes, and what of the item decides them.
//   2. The order: choices first, then the loop that loses most. Behind a length with many values
//      another order would not be seen.
//   3. The gain: what those branches lose, as far as the longest item lets it.
#include "rewrite/sorted_items/SortedItems.h"

#include "advise/Losses.h"
#include "rewrite/code/Communication.h"
#include "rewrite/sorted_items/SortKeys.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

namespace heddle::rewrite::sorted_items {
namespace {

constexpr double leastShare = 0.02; ///< of a branch
constexpr double leastGain = 1.1;   ///< below it a sort costs more than it brings
constexpr double mostSectors = 0.6; ///< a lane: more is scattered already
constexpr double alone = 0.2;       ///< of its time among others, a warp takes by itself: a guess

struct Part {
  SortKey key;
  double share = 0;
  int line = 0;
};

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

/// Step 1. Branches of one loop are one part.
class Parts {
public:
  Parts(const Source& source, const clang::FunctionDecl& kernel)
      : source_(source), kernel_(kernel) {}

  void add(const advise::Loss& loss) {
    const auto branch = findBranch(source_, loss.where.line, loss.where.column);
    const auto key = branch ? keyOf(*branch) : std::nullopt;
    if (!key)
      return;
    auto known = std::ranges::find_if(all_, [&](const Part& each) {
      return each.key.decided == key->decided || (each.key.isKnown && each.key.text == key->text);
    });
    if (known == all_.end())
      known = all_.insert(all_.end(), {*key, 0, source_.lineOf(key->decided->getBeginLoc())});
    known->share += loss.share;
  }

  /// Step 2.
  std::vector<Part> inOrder() const {
    std::vector<Part> order;
    const Part* longest = nullptr;
    for (const Part& each : all_)
      if (!isLoop(*each.key.decided))
        order.push_back(each);
      else if (longest == nullptr || longest->share < each.share)
        longest = &each;
    if (longest != nullptr)
      order.push_back(*longest);
    std::erase_if(order, [](const Part& each) { return each.share < leastShare; });
    return order;
  }

private:
  std::optional<SortKey> keyOf(const BranchStatement& branch) const {
    const bool isInKernel = branch.function->getCanonicalDecl() == kernel_.getCanonicalDecl();
    const Placed& placed = branch.instances.front();
    const clang::Stmt& body = isInKernel ? *placed.around.back() : *kernel_.getBody();
    const auto items = ItemNumbers::find(body);
    if (!items || !refuseCommunication(source_, body))
      return std::nullopt;
    return isInKernel ? findSortKey(source_, placed, *items)
                      : findSortKeyOfCall(branch, body, *items);
  }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  std::vector<Part> all_;
};

const profile::LoopProfile* loopAt(const profile::KernelProfile& profile, int line) {
  const auto found = std::ranges::find_if(profile.loops, [&](const profile::LoopProfile& each) {
    return each.site.where.line == line && each.lanes > 0;
  });
  return found != profile.loops.end() ? &*found : nullptr;
}

std::string lengthsText(const profile::LoopProfile* loop) {
  return loop == nullptr ? ""
                         : fmt::format(" ({} to {}, {:.1f} on average)", loop->fewest, loop->most,
                                       double(loop->iterations) / double(loop->lanes));
}

std::string keyText(const Part& part, const profile::KernelProfile& profile) {
  if (!isLoop(*part.key.decided))
    return fmt::format("`{}`, the choice of line {}", part.key.text, part.line);
  const std::string turns =
      fmt::format("the turns of line {}{}", part.line, lengthsText(loopAt(profile, part.line)));
  return part.key.isKnown ? fmt::format("`{}`, {}", part.key.text, turns) : turns;
}

/// `share`: of the kernel's time, that all of them lose. Turns of warps are not counted, since a
/// compiler makes one of several: they are those of lanes, as if all warps were in the loop.
double mostWithLengths(const std::vector<Part>& order, double share,
                       const profile::KernelProfile& profile, int multiprocessors) {
  double most = INFINITY;
  for (const Part& each : order)
    if (const profile::LoopProfile* loop = loopAt(profile, each.line))
      most = std::min(most, mostWithLongest(profile, loop->most,
                                            double(loop->iterations) / warpSize / (1 - share),
                                            multiprocessors));
  return most;
}

/// What order, and where it comes from.
std::string orderText(const std::vector<Part>& order, const profile::KernelProfile& profile) {
  std::vector<std::string> keys;
  for (const Part& each : order)
    keys.push_back(keyText(each, profile));
  const bool isKnown =
      std::ranges::all_of(order, [](const Part& each) { return each.key.isKnown; });
  return fmt::format("sort items by {}{}: {}, which is not counted", fmt::join(keys, ", then by "),
                     isLoop(*order.back().key.decided) ? ", longest first" : "",
                     isKnown ? "with thrust::sort_by_key, or where they are made"
                             : "known only once it has run, so as it was the last time, or by what "
                               "foretells it");
}

} // namespace

std::string neighbouringLines(const profile::KernelProfile& profile, const std::string& file) {
  std::set<int> lines;
  for (const profile::MemoryProfile& each : profile.accesses) {
    const bool isNear = double(each.transactions) <= mostSectors * double(each.lanes);
    const bool isOneForAll = each.transactions < each.ideal || each.ideal <= each.executions;
    if (each.space == profile::MemorySpace::Global && each.kind != profile::AccessKind::Atomic &&
        isNear && !isOneForAll && isSameFile(each.site.where.file, file))
      lines.insert(each.site.where.line);
  }
  return fmt::format("{}", fmt::join(lines, ", "));
}

double mostWithLongest(const profile::KernelProfile& profile, std::uint64_t longest, double turns,
                       int multiprocessors) {
  if (!profile.timing || turns <= 0 || multiprocessors == 0 || profile.launches == 0)
    return INFINITY;
  const double blocks = double(profile.blocks) / double(profile.launches);
  const double resident =
      std::min(blocks, double(profile.timing->residentBlocks) * multiprocessors);
  const int warpsOfABlock = (profile.block[0] * profile.block[1] * profile.block[2] + 31) / 32;
  const double warps = resident * warpsOfABlock;
  const double turnsOfLaunch = turns / double(profile.launches);
  return turnsOfLaunch / (double(longest) * alone * warps);
}

std::optional<SortAdvice> adviseSorting(const Source& source, const clang::FunctionDecl& kernel,
                                        const profile::KernelProfile& profile,
                                        int multiprocessors) {
  Parts parts(source, kernel);
  for (const advise::Loss& loss : advise::lossesOf(profile))
    if (isSameFile(loss.where.file, source.file()))
      parts.add(loss);
  const std::vector<Part> order = parts.inOrder();
  double share = 0;
  for (const Part& each : order)
    share += each.share;
  share = std::min(share, 0.99);
  SortAdvice advice{.speedup = std::min(advise::mostSpeedup(profile, share),
                                        mostWithLengths(order, share, profile, multiprocessors))};
  if (advice.speedup < leastGain)
    return std::nullopt;
  advice.text = orderText(order, profile);
  if (const std::string lines = neighbouringLines(profile, source.file()); !lines.empty())
    advice.text += fmt::format("; move their data along: through a list of numbers line {} would "
                               "use scattered memory",
                               lines);
  return advice;
}

} // namespace heddle::rewrite::sorted_items
