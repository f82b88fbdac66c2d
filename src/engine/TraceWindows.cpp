// SPDX-License-Identifier: Apache-2.0
#include "engine/TraceWindows.h"

namespace heddle::engine {
namespace {

constexpr std::uint64_t mostWindows = 16;

} // namespace

void TraceWindows::start(profile::WarpTrace* trace, Limits limits) {
  trace_ = trace;
  limits_ = limits;
  windows_.assign(1, {0, 0});
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
  const bool areUsed = windows_.size() == mostWindows;
  if (!limits_.spread || (!mayLeaveOut && (areUsed || distance_ > 1))) {
    trace_->cutOff = true;
    return never;
  }
  if (areUsed) {
    giveUpHalf();
    trace_->cutOff = true;
    return instructions; // the last one that was given up is what this distance leaves out
  }
  return instructions + (instructions - began_) * (distance_ - 1);
}

void TraceWindows::resume(std::uint64_t instructions) {
  windows_.push_back({trace_->executions.size(), trace_->traffic.size()});
  began_ = instructions;
  isOpen_ = true;
}

/// Every second window goes; the others move together.
void TraceWindows::giveUpHalf() {
  profile::WarpTrace kept;
  std::vector<Window> windows;
  for (std::size_t i = 0; i < windows_.size(); i += 2) {
    const Window& from = windows_[i];
    const Window& to = windows_[i + 1];
    windows.push_back({kept.executions.size(), kept.traffic.size()});
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
