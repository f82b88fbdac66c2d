// SPDX-License-Identifier: Apache-2.0
//
// The plain record a launch leaves. A lane slot is one lane of one executed warp-instruction; it is
// used, or lost to exactly one owner. docs/design/engine.md defines what counts as an instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::profile {

struct SourceLocation {
  std::string file; ///< empty where the program carries no line table
  int line = 0;
  int column = 0;

  auto operator<=>(const SourceLocation&) const = default;
};

/// What one branch of the kernel did and lost. Branches at one place of the source are one record.
struct BranchProfile {
  SourceLocation where;
  std::uint64_t executions = 0;          ///< by warps
  std::uint64_t divergentExecutions = 0; ///< in which its lanes parted
  std::uint64_t laneExecutions = 0;
  std::uint64_t lanesTaken = 0; ///< of those, to its first successor
  std::uint64_t lostSlots = 0;  ///< lane slots masked off because it split the warp
};

struct LaunchProfile {
  std::string kernel;
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0; ///< = used lane slots
  std::uint64_t lostToFinished = 0;     ///< lanes whose thread had returned
  std::uint64_t lostToPartial = 0;      ///< lanes without a thread
  std::vector<BranchProfile> branches;  ///< ordered by place
  double seconds = 0;

  std::uint64_t slots() const;
  std::uint64_t lostToBranches() const;
  double efficiency() const; ///< used / all slots; 1 for no slots

  /// used + lost = slots, every lost slot with one owner.
  bool addsUp() const;

  /// Adds another part of the same launch.
  void add(const LaunchProfile& part);
};

} // namespace heddle::profile
