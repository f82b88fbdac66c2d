// SPDX-License-Identifier: Apache-2.0
//
// Two profiles side by side: before and after a change, on two devices, with two inputs. Kernels
// are matched by id, those left by name; branches and lines by what stands in their line.
#pragma once

#include "profile/ProgramProfile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

/// What can be told of a kernel by one number, for a person and for conditions.
enum class Metric {
  Efficiency,
  SwitchedOff, ///< of the lanes at work
  Lost,        ///< lane slots
  WarpInstructions,
  ThreadInstructions,
  Time,
  Occupancy,
  Registers,
  Spills,
  Sectors, ///< of the blocks that counted
  SectorsPerRequest,
  ConflictDegree,
};
inline constexpr std::size_t metricCount = 12;

struct MetricInfo {
  const char* name;        ///< in conditions and JSON
  const char* text;        ///< for a person
  bool isShare = false;    ///< from 0 to 1: changes are in percentage points
  bool isMoreGood = false; ///< else less is better
  bool isNeutral = false;  ///< neither is
};
const MetricInfo& infoOf(Metric metric);
std::optional<Metric> metricNamed(std::string_view name);

/// Nothing where it is not known: times of a launch that was not timed, sectors of no requests.
std::optional<double> valueOf(const KernelProfile& kernel, Metric metric);

/// A branch in both; one of them is missing where it is new or gone.
struct BranchPair {
  const BranchProfile* before = nullptr;
  const BranchProfile* after = nullptr;

  std::uint64_t lostBefore() const { return before == nullptr ? 0 : before->lostSlots; }
  std::uint64_t lostAfter() const { return after == nullptr ? 0 : after->lostSlots; }
};

/// A line of machine code in both, whatever calls it came in through; one place is missing where it
/// is new or gone.
struct LinePair {
  std::optional<SourceLocation> before, after;
  LineCounts was, is;
};

struct KernelPair {
  const KernelProfile* before = nullptr;
  const KernelProfile* after = nullptr;
  std::vector<BranchPair> branches{}; ///< of a kernel that is in both
  std::vector<LinePair> lines{};      ///< of one whose lines are known in both

  /// Both say how many lanes predicates switched off: without that, none is not zero.
  bool knowsSwitchedOff() const { return isInBoth() && before->switchedOff && after->switchedOff; }
  const KernelProfile& any() const { return after != nullptr ? *after : *before; }
  bool isInBoth() const { return before != nullptr && after != nullptr; }
};

/// Points into the profiles, which must outlive it. In the order of `after`, then those gone.
std::vector<KernelPair> pairKernels(const ProgramProfile& before, const ProgramProfile& after);

/// Pairs branches in order: those of one function whose lines have the same text belong together,
/// wherever the lines have moved to; of what is left between two pairs, those of one function.
/// Where a profile does not hold its lines' text, the line and column must be the same.
std::vector<BranchPair> pairBranches(const KernelProfile& before, const LineTexts& textsBefore,
                                     const KernelProfile& after, const LineTexts& textsAfter);

/// Pairs lines in the same way.
std::vector<LinePair> pairLines(const KernelProfile& before, const LineTexts& textsBefore,
                                const KernelProfile& after, const LineTexts& textsAfter);

} // namespace heddle::profile
