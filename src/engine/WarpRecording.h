// SPDX-License-Identifier: Apache-2.0
//
// What one warp runs, while it does. Codes that follow each other with the same owners of the lanes
// are a path; a path ends where the owners change or where a code comes again, so that a loop whose
// lanes go together is one path, many times in a row.
//
//   for (...) { A; if (x) B; C; }      codes      A B C A B C A C A B C
//                                      runs       ABC x 2, AC x 1, ABC x 1
#pragma once

#include "profile/RecordedWarps.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace heddle::engine {

class WarpRecording {
public:
  /// Beyond these a recording is cut: about a million instructions of a warp whose lanes part all
  /// the time, and a few megabytes of memory and of a profile.
  static constexpr std::size_t mostRuns = std::size_t{1} << 18;
  static constexpr std::size_t mostOwners = std::size_t{1} << 15;
  static constexpr std::size_t mostPaths = std::size_t{1} << 14;

  void clear();

  /// The number of these owners.
  std::uint32_t numberOf(profile::LaneOwners owners);

  /// A code (codeNumber()) of so many instructions runs. Returns false once the recording is full.
  bool add(std::uint32_t code, std::uint32_t instructions, std::uint32_t owners);

  /// After the last one.
  void finish() { endPath(); }

  std::uint64_t recorded() const { return recorded_; }
  const std::vector<profile::LaneOwners>& owners() const { return owners_; }
  /// Their stretches are numbers of paths.
  const std::vector<profile::RecordedWarp::Run>& runs() const { return runs_; }
  const std::vector<std::vector<std::uint32_t>>& paths() const { return paths_; }

private:
  void endPath();
  bool isFull() const {
    return runs_.size() >= mostRuns || owners_.size() >= mostOwners || paths_.size() >= mostPaths;
  }

  std::uint64_t recorded_ = 0; ///< instructions
  std::uint32_t running_ = 0;  ///< owners of the path
  std::vector<std::uint32_t> path_;
  std::vector<profile::RecordedWarp::Run> runs_;
  std::vector<profile::LaneOwners> owners_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> ownersByHash_;
  std::vector<std::vector<std::uint32_t>> paths_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> pathsByHash_;
};

} // namespace heddle::engine
