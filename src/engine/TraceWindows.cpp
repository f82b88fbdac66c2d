// SPDX-License-Identifier: Apache-2.0
#include "engine/TraceWindows.h"

#include "support/SplitMix64.h"

namespace heddle::engine {
namespace {

constexpr std::uint64_t mostWindows = 32;

} // namespace

void TraceWindows::start(profile::WarpTrace* trace, Limits limits, std::uint64_t block) {
  trace_ = trace;
  block_ = block;
  limits_ = limits;
  windows_.assign(1, {0, 0, 0});
  began_ = covered_ = 0;
  distance_ = 1;
  isOpen_ = true;
}

bool TraceWindows::isFull() const {
  const std::uint64_t parts = limits_.spread ? mostWindows : 1;
  const Window& window = windows_.back();
  return trace_->executions.size() - window.execution >= limits_.executions / parts ||
         trace_->traffic.size() - window.access >= limits_.accesses / parts;
}

std::uint64_t TraceWindows::covered(std::uint64_t instructions) const {
  return covered_ + (isOpen_ ? (instructions - began_) * distance_ : 0);
}

std::uint64_t TraceWindows::end(std::uint64_t instructions, bool mayLeaveOut) {
  covered_ = covered(instructions);
  isOpen_ = false;
  tellTrace();
  const bool areUsed = windows_.size() == mostWindows;
  if (!limits_.spread || (!mayLeaveOut && (areUsed || distance_ > 1))) {
    trace_->cutOff = true;
    return never;
  }
  if (areUsed) {
    giveUpHalf();
    trace_->cutOff = true;
  }
  return instructions + leftOut(instructions);
}

/// How much to leave out now: half to one and a half times as much as the window stands for.
/// Instructions are counted where a block of the machine's code ends, which may be windows later;
/// one in which none were counted is taken to be as long as all were so far. All warps of a block
/// leave out the same, as they mostly work on the same data at the same time.
std::uint64_t TraceWindows::leftOut(std::uint64_t instructions) const {
  const std::uint64_t usual = instructions / (windows_.size() * distance_);
  const std::uint64_t window = instructions > began_ ? instructions - began_ : usual;
  const std::uint64_t all = window * (distance_ - 1);
  const std::uint64_t luck = mix64(block_ * 0x9e3779b97f4a7c15u + distance_ * 64 + windows_.size());
  return all / 2 + std::uint64_t(double(all) * double(luck >> 11) / double(1ull << 53));
}

void TraceWindows::resume(std::uint64_t instructions) {
  windows_.push_back({trace_->executions.size(), trace_->traffic.size(), instructions});
  began_ = instructions;
  isOpen_ = true;
  tellTrace();
}

void TraceWindows::tellTrace() const {
  trace_->windows.clear();
  for (const Window& window : windows_)
    trace_->windows.push_back({std::uint32_t(window.access), window.instructions});
}

/// Every second window goes, the first one among them; the others move together.
void TraceWindows::giveUpHalf() {
  profile::WarpTrace kept;
  std::vector<Window> windows;
  for (std::size_t i = 0; i < windows_.size(); i += 2) {
    const Window& from = windows_[i + 1];
    const bool isLast = i + 2 == windows_.size();
    const Window to =
        isLast ? Window{trace_->executions.size(), trace_->traffic.size(), 0} : windows_[i + 2];
    windows.push_back({kept.executions.size(), kept.traffic.size(), from.instructions});
    for (std::size_t at = from.execution; at < to.execution; ++at) {
      kept.executions.push_back(trace_->executions[at]);
      kept.executions.back().traffic +=
          std::uint32_t(kept.traffic.size()) - std::uint32_t(from.access);
    }
    kept.traffic.insert(kept.traffic.end(), trace_->traffic.begin() + std::ptrdiff_t(from.access),
                        trace_->traffic.begin() + std::ptrdiff_t(to.access));
  }
  windows_ = std::move(windows);
  trace_->executions = std::move(kept.executions);
  trace_->traffic = std::move(kept.traffic);
  distance_ *= 2;
}

} // namespace heddle::engine
