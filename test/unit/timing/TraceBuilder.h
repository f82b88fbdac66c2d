// SPDX-License-Identifier: Apache-2.0
//
// Traces made by hand, and devices to replay them on.
#pragma once

#include "machine/DeviceCatalog.h"
#include "profile/KernelTrace.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::timing {

inline machine::Device device(const std::string& name) {
  auto found = machine::resolveDevice(name);
  EXPECT_TRUE(found) << name;
  return *found;
}

/// Blocks of warps that all run the same steps, some number of times.
class TraceBuilder {
public:
  /// Steps that each wait for the one before.
  TraceBuilder& chain(int count, profile::Unit unit) {
    for (int i = 0; i < count; ++i) {
      const int value = shape_->values;
      shape_->values = value + 1;
      profile::Step step{.unit = unit, .result = value};
      step.operands[0] = i == 0 ? profile::noValue : value - 1;
      steps().push_back(step);
    }
    return *this;
  }

  /// Steps that wait for nothing.
  TraceBuilder& independent(int count, profile::Unit unit) {
    for (int i = 0; i < count; ++i)
      steps().push_back({.unit = unit});
    return *this;
  }

  TraceBuilder& branch() {
    steps().push_back({.kind = profile::StepKind::Branch, .unit = profile::Unit::Control});
    return *this;
  }

  TraceBuilder& barrier() {
    steps().push_back({.kind = profile::StepKind::Barrier, .unit = profile::Unit::Control});
    return *this;
  }

  /// A load of 4 bytes a lane that touches `sectors` sectors, all of them new, and its use.
  TraceBuilder& load(int sectors) {
    const int value = shape_->values++;
    steps().push_back({.kind = profile::StepKind::Access,
                       .unit = profile::Unit::LoadStore,
                       .bytes = 4,
                       .site = int(traffic_.size()),
                       .result = value});
    traffic_.push_back({int(traffic_.size()), std::uint16_t(sectors), std::uint16_t(sectors)});
    profile::Step use{.unit = profile::Unit::Int32};
    use.operands[0] = value;
    steps().push_back(use);
    return *this;
  }

  /// A store of 4 bytes a lane to `sectors` sectors.
  TraceBuilder& store(int sectors) {
    steps().push_back({.kind = profile::StepKind::Access,
                       .unit = profile::Unit::LoadStore,
                       .access = profile::AccessKind::Store,
                       .bytes = 4,
                       .site = int(traffic_.size())});
    traffic_.push_back({int(traffic_.size()), std::uint16_t(sectors), std::uint16_t(sectors)});
    return *this;
  }

  /// Some loads of which none waits for another, and the use of all.
  TraceBuilder& loads(int count, int sectors) {
    profile::Step use{.unit = profile::Unit::Int32};
    for (int i = 0; i < count; ++i) {
      load(sectors);
      use.operands[std::size_t(i)] = steps().back().operands[0];
      steps().pop_back();
    }
    steps().push_back(use);
    return *this;
  }

  profile::KernelTrace trace(int blocks, int warps, int times = 1) {
    shape_->blocks.front().instructions = std::uint32_t(steps().size());
    shape_->blocks.front().work = profile::workOf(steps());
    profile::WarpTrace warp;
    warp.uses = {{.active = 32}};
    for (int i = 0; i < times; ++i) {
      warp.executions.push_back({0, 0});
      warp.traffic.insert(warp.traffic.end(), traffic_.begin(), traffic_.end());
    }
    warp.instructions = steps().size() * std::uint64_t(times);
    profile::KernelTrace trace{shape_.get(), {}, {}, warp.instructions};
    for (int i = 0; i < blocks; ++i)
      trace.blocks.push_back({i, true, std::vector<profile::WarpTrace>(std::size_t(warps), warp)});
    return trace;
  }

private:
  std::vector<profile::Step>& steps() { return shape_->blocks.front().steps; }

  std::unique_ptr<profile::KernelShape> shape_ =
      std::make_unique<profile::KernelShape>(profile::KernelShape{{{}}, 0});
  std::vector<profile::Traffic> traffic_;
};

} // namespace heddle::timing
