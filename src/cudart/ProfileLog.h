// SPDX-License-Identifier: Apache-2.0
//
// The profile of the run so far. It can be asked for at any moment, by an ending program and by the
// thread that answers signals.
#pragma once

#include "engine/WarpRecorder.h"
#include "profile/ProgramProfile.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace heddle::cudart {

/// Lane slots of some launches, and those that each line lost.
struct LaneSums {
  std::uint64_t warpInstructions = 0, used = 0;
  std::uint64_t lostToFinished = 0, lostToPartial = 0, lostToSequences = 0;
  std::optional<std::uint64_t> switchedOff;    ///< of the used ones; nothing where one is not known
  std::map<std::string, std::uint64_t> lostAt; ///< by "file:line"
};

class ProfileLog {
public:
  /// The one of this process; never destroyed, since the program's own destructors come late.
  static ProfileLog& instance();

  void describe(std::string device, std::string reconvergence);

  /// Sums by kernel, and lists the launch if it is among the first.
  void add(const profile::KernelProfile& launch);

  /// The accesses outside of memory that a launch let pass.
  void addStrays(const std::vector<profile::Stray>& strays);

  /// Of a launch of a kernel that has been added.
  void addTimeline(const std::string& id, double seconds, profile::Timeline timeline);

  /// Keeps so many warps of a kernel, over all its launches.
  engine::WarpRecorder& recorderOf(const std::string& id, const engine::CompiledKernel& kernel,
                                   int warps);

  /// Those of the launches since the last call.
  LaneSums takeLanes();

  /// The fault that comes was such an access.
  void noteStrayFault();

  /// A fault after which the program goes on; the first is kept.
  void noteFault(const std::string& fault);

  /// The document. Nothing if the log stays locked: its owner crashed while it wrote.
  std::optional<std::string> write(profile::Ending ending, const std::string& fault,
                                   std::chrono::milliseconds patience);

private:
  std::timed_mutex mutex_;
  profile::ProgramProfile profile_;
  std::string noted_; ///< fault after which the program went on
  LaneSums lanes_;
  std::map<std::string, std::size_t> kernels_; ///< from id to index in profile_
  std::map<std::string, std::unique_ptr<engine::WarpRecorder>> recorders_; ///< by id
};

} // namespace heddle::cudart
