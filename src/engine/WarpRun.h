// SPDX-License-Identifier: Apache-2.0
//
// Runs one warp: walks basic blocks with an active mask, splits it at divergent branches and joins
// it again at immediate post-dominators, and accounts for every lane slot.
//
// A stack entry stands for lanes that run together up to a join. A divergent branch makes its entry
// wait at the join and pushes one entry per side:
//
//   if (c) A else B; J         [.. J all] [B lanes without c, up to J] [A lanes with c, up to J] <-
//   top
//
// While an entry runs, the lanes of its parent that it lacks are lost to the branch that pushed it.
// The loss is charged when the entry is popped: instructions since it began x lanes. A lane that
// waits cannot return, so the number of lanes does not change meanwhile.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/WarpFrame.h"
#include "profile/LaunchProfile.h"
#include "support/LaneMask.h"

#include <cstddef>
#include <vector>

namespace heddle::engine {

enum class WarpState { AtBarrier, Finished, Faulted };

class WarpRun {
public:
  /// `existing` are the lanes that have a thread.
  void start(const CompiledKernel& kernel, std::byte* frame, LaneMask existing);

  /// Runs on until the warp waits at a barrier, has finished, or touched memory it must not.
  WarpState run(profile::LaunchProfile& account);

private:
  struct Entry {
    int block;
    int join;
    LaneMask mask;
    int parent = -1;           ///< index in the stack
    int owner = -1;            ///< branch that pushed it
    int maskedLanes = 0;       ///< of the parent, while this one runs
    std::uint64_t beganAt = 0; ///< instructions of the warp when it began to run
  };

  void activateTop();
  void popTop(profile::LaunchProfile& account);
  void retire(LaneMask lanes, profile::LaunchProfile& account);
  void branchTo(const CompiledBlock& block, LaneMask taken, profile::LaunchProfile& account);
  void chargeFinished(profile::LaunchProfile& account);

  const CompiledKernel* kernel_ = nullptr;
  std::byte* frame_ = nullptr;
  LaneMask existing_ = 0;
  LaneMask live_ = 0;
  std::uint64_t instructions_ = 0;  ///< of this warp so far
  std::uint64_t finishedSince_ = 0; ///< when the set of finished lanes last changed
  std::vector<Entry> stack_;
};

} // namespace heddle::engine
