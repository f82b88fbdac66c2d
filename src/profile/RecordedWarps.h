// SPDX-License-Identifier: Apache-2.0
//
// Warps that a run has recorded in full: what each ran, one stretch of code after the other, and
// which of its lanes did it. The others are lost to owners that are the account's own.
// docs/design/recording.md describes how it is kept and written.
#pragma once

#include "profile/Site.h"
#include "support/LaneMask.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::profile {

/// Instructions of one line.
struct LineRun {
  std::uint32_t place = 0; ///< of WarpRecords::places
  std::uint32_t instructions = 0;

  auto operator<=>(const LineRun&) const = default;
};

/// What lanes run one line after the other, without a change of the lanes.
using Stretch = std::vector<LineRun>;

/// Who has the 32 lanes of a warp: each is in `active`, in `finished`, lost to one branch, or has
/// no thread.
struct LaneOwners {
  struct Loss {
    std::uint32_t branch = 0; ///< of the kernel's branches
    LaneMask lanes = 0;
    auto operator<=>(const Loss&) const = default;
  };
  LaneMask active = 0;
  LaneMask finished = 0;    ///< their thread has returned, by no branch
  std::vector<Loss> lost{}; ///< ordered by branch, each once

  auto operator<=>(const LaneOwners&) const = default;
};

struct RecordedWarp {
  enum class Role { Slowest, Median, Fastest, Between };
  struct Run {
    std::uint32_t stretch = 0; ///< of WarpRecords::stretches
    std::uint32_t owners = 0;  ///< of `owners` below
    std::uint32_t times = 1;   ///< in a row
  };

  Role role = Role::Between;
  std::uint64_t launch = 0;       ///< of the kernel, from 0
  std::array<int, 3> block = {};  ///< blockIdx
  int warp = 0;                   ///< of the block
  LaneMask threads = allLanes;    ///< lanes that have one
  std::uint64_t instructions = 0; ///< that it ran
  std::uint64_t recorded = 0;     ///< of those, that the runs below tell: all, unless cut
  std::uint64_t fewer = 0;        ///< warps of the kernel that ran fewer
  std::vector<LaneOwners> owners{};
  std::vector<Run> runs{};

  bool isCut() const { return recorded < instructions; }
};

inline constexpr const char* warpRoleNames[] = {"slowest", "median", "fastest", "between"};

struct WarpRecords {
  std::uint64_t warps = 0; ///< that the kernel ran, in all launches
  std::vector<Site> places{};
  std::vector<Stretch> stretches{};
  std::vector<RecordedWarp> recorded{}; ///< the slowest first
};

/// Lane slots of a recorded warp, as the account has them.
struct RecordedSums {
  std::uint64_t instructions = 0;
  std::uint64_t used = 0;
  std::uint64_t finished = 0;
  std::uint64_t partial = 0;
  std::vector<std::uint64_t> branches{}; ///< lost to each
};

RecordedSums sumsOf(const RecordedWarp& warp, const WarpRecords& records, std::size_t branches);

/// The first thing that does not fit together; empty where all does.
std::string faultOf(const WarpRecords& records, std::size_t branches);

} // namespace heddle::profile
