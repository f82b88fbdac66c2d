// SPDX-License-Identifier: Apache-2.0
//
// What a whole run leaves: its kernels, and how it ended.
#pragma once

#include "profile/KernelProfile.h"
#include "profile/LineTexts.h"
#include "profile/Stray.h"
#include "profile/Timeline.h"

#include <string>
#include <vector>

namespace heddle::profile {

enum class Ending {
  Complete,
  Fault,       ///< a check stopped the run; `fault` says which and where
  Interrupted, ///< by Ctrl-C, or a signal that ended the program
};

/// One launch of a kernel, in short.
struct LaunchRecord {
  std::size_t kernel = 0; ///< index into kernels
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;
  double seconds = 0;          ///< of the run on this machine
  double estimatedSeconds = 0; ///< on the modelled GPU; 0 when it was not timed
  std::optional<FirstTouch> firstTouch{};
};

/// Something that went well here and does not on a GPU, or that the program did not notice.
struct Remark {
  std::string kind; ///< "failed-call", "leak", "host-access"
  std::string text;
  SourceLocation where; ///< of the call, where it is known
  std::uint64_t count = 1;
};

/// Of one launch.
struct KernelTimeline : Timeline {
  std::size_t kernel = 0; ///< index into kernels
  double seconds = 0;     ///< estimated
};

struct ProgramProfile {
  /// More launches than this are summed, not listed.
  static constexpr std::size_t mostLaunches = 1000;

  std::string device;        ///< the modelled GPU
  std::string reconvergence; ///< "volta" or "stack"
  Ending ending = Ending::Complete;
  std::string fault;
  bool faultMayPass = false;          ///< it was an access that HEDDLE_STRAYS lets pass
  std::vector<KernelProfile> kernels; ///< each the sum of its launches, in order of first launch
  std::vector<LaunchRecord> launches; ///< the first of them
  std::vector<Remark> remarks{};      ///< of a run that came to its end
  std::vector<Stray> strays{};        ///< of a run that lets them pass, in order of first launch
  std::vector<LineText> lines{};      ///< ordered; empty where the source could not be read
  std::vector<KernelTimeline>
      timelines{}; ///< of the longest launch of each kernel, where asked for

  /// Whether a kernel says how many lanes predicates switched off.
  bool knowsSwitchedOff() const;

  /// Adds a launch to the kernel of this index, a new one at the end, and lists it if it is among
  /// the first.
  void add(std::size_t kernel, const KernelProfile& launch);

  /// Keeps the timeline of a launch if it is the kernel's longest so far.
  void keepTimeline(KernelTimeline launch);
};

} // namespace heddle::profile
