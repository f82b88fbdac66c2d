// SPDX-License-Identifier: Apache-2.0
//
// Programs that are run again and again while somebody edits them. Each run is a child process of
// its own, a 'heddle run': what the program does to itself it does not do to us, and one that never
// ends is ended. A newer run ends an older one.
#pragma once

#include "machine/ModelledDevice.h"
#include "page/Page.h"
#include "support/Error.h"
#include "support/TemporaryFolder.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include <sys/types.h>

namespace heddle::driver {

struct LiveSettings {
  std::filesystem::path folder; ///< of the files, as the user names it
  machine::ModelledDevice device;
  int seconds = 10;                              ///< after which a run is ended
  std::int64_t mostInstructions = 4'000'000'000; ///< of a launch, by warps
};

struct LiveOutcome {
  std::uint64_t number = 0;
  bool overtaken = false; ///< a newer run has taken its place
  bool ranTooLong = false;
  int status = 0;
  double seconds = 0;
  std::string printed;              ///< by the compiler and the program, the beginning
  std::optional<page::PageRun> run; ///< where there is a profile
};

class LiveRuns {
public:
  static Expected<LiveRuns> make(LiveSettings settings);

  /// The .cu files of the folder and below, by their names from there.
  std::vector<std::string> files() const;
  Expected<std::string> read(const std::string& file) const;

  /// Runs a file of the folder with another text. May be called from several threads.
  Expected<LiveOutcome> run(const std::string& file, const std::string& text);

  /// The last run with advice; fails where it is not the last one any more.
  Expected<page::PageRun> advise(std::uint64_t number);

private:
  struct State;

  LiveRuns(LiveSettings settings, TemporaryFolder folder);

  Expected<void> check(const std::string& file) const;
  LiveOutcome runChild(const std::string& file, std::uint64_t number);
  std::filesystem::path includes(const std::string& file) const;

  LiveSettings settings_;
  std::filesystem::path place_; ///< the folder's full path
  TemporaryFolder temporary_;
  std::shared_ptr<State> state_;
};

} // namespace heddle::driver
