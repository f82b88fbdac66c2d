// SPDX-License-Identifier: Apache-2.0
#include "timing/ModelFault.h"

#include <cmath>

namespace heddle::timing {
namespace {

using profile::WarpTrace;

bool isSmallerSide(const profile::LaneUse& use) {
  int waiting = 0;
  for (const profile::LaneUse::Loss& loss : use.branches)
    waiting += loss.lanes;
  return use.active < waiting;
}

std::uint64_t scaled(std::uint64_t count, double share) {
  return std::uint64_t(std::llround(double(count) * share));
}

/// Copies a warp without its smaller sides, and what only they moved.
class WarpFilter {
public:
  WarpFilter(const profile::KernelShape& shape, const WarpTrace& from)
      : shape_(shape), from_(from) {
    to_ = {{}, {}, from.uses, from.instructions, from.cutOff, from.sectors};
  }

  WarpTrace filter() {
    for (const WarpTrace::Execution& execution : from_.executions) {
      const bool keep = !isSmallerSide(from_.uses[execution.use]);
      const profile::BlockShape& block = shape_.blocks[execution.block];
      all_ += block.instructions;
      if (keep) {
        kept_ += block.instructions;
        to_.executions.push_back(execution);
      }
      passTraffic(block, keep);
    }
    to_.instructions = scaled(from_.instructions, all_ > 0 ? kept_ / all_ : 1);
    return std::move(to_);
  }

  double all() const { return all_; }
  double kept() const { return kept_; }

private:
  /// The traffic of a block follows the order of its accesses.
  void passTraffic(const profile::BlockShape& block, bool keep) {
    for (const profile::BlockWork::Use& access : block.work.accesses) {
      if (next_ >= from_.traffic.size())
        return;
      const bool isNext = from_.traffic[next_].site == access.site;
      if (isNext && keep)
        to_.traffic.push_back(from_.traffic[next_]);
      next_ += isNext ? 1 : 0;
    }
  }

  const profile::KernelShape& shape_;
  const WarpTrace& from_;
  WarpTrace to_;
  std::size_t next_ = 0; ///< of the traffic
  double all_ = 0, kept_ = 0;
};

} // namespace

FreedTrace withoutSmallerSides(const profile::KernelTrace& trace) {
  FreedTrace result{{trace.shape, {}, trace.footprints, trace.longestWarp, trace.variation}};
  result.trace.ended = trace.ended;
  double all = 0, kept = 0;
  for (const profile::BlockTrace& block : trace.blocks) {
    profile::BlockTrace copy{block.number, block.deep, {}, block.sectors, block.atomics};
    for (const WarpTrace& warp : block.warps) {
      WarpFilter filter(*trace.shape, warp);
      copy.warps.push_back(filter.filter());
      all += filter.all();
      kept += filter.kept();
    }
    result.trace.blocks.push_back(std::move(copy));
  }
  result.kept = all > 0 ? kept / all : 1;
  result.trace.longestWarp = scaled(trace.longestWarp, result.kept);
  return result;
}

} // namespace heddle::timing
