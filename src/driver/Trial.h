// SPDX-License-Identifier: Apache-2.0
//
// One run of a program on the engine that is kept for comparison: its profile, what it printed, the
// files that it wrote and what its memory held. The clock is fixed and addresses are the same, so
// that two runs print the same times and pointers. No run changes a file of the user's.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/DeviceCode.h"
#include "driver/RunCommand.h"
#include "driver/VaryingFiles.h"
#include "driver/VaryingText.h"
#include "profile/CompareRecords.h"
#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

struct Trial {
  profile::ProgramProfile profile;
  std::string printed; ///< standard output and error
  int status = 0;
  std::filesystem::path folder; ///< holds the record and the files
  std::filesystem::path record;
  profile::WrittenFiles files;
};

/// Gives back its disk space: it will not be compared any more.
void removeKept(const Trial& trial);

/// Sums of floats come in any order where atomics make them: how far results may differ then.
inline constexpr profile::Tolerance floatSums{.floats = 1e-5, .doubles = 1e-12};

/// How far two runs may differ: `asked` is what --tolerance allows, relative.
profile::Tolerance toleranceOf(bool sumsFloats, double asked);

/// As far as sums of floating-point numbers in another order are looked at without being asked for.
inline constexpr profile::Tolerance reorderedSums{.floats = 1e-4, .doubles = 1e-10};

/// Without a record of its memory, a run is for its times alone.
enum class Recording { On, Off };

/// Where the host's memory lies: at the same place in every run, or anywhere.
enum class HostMemory { Same, Anywhere };

class TrialBench {
public:
  /// `folder` is ours, and lives as long as the records are needed.
  TrialBench(const RunOptions& options, std::filesystem::path folder)
      : options_(options), folder_(std::move(folder)) {}

  /// What every run has as its standard input; without it, none of them has any.
  Expected<void> giveInput(int descriptor);

  /// From now on blocks run one after the other: also those that race come in the same order then.
  void runInOrder() { inOrder_ = true; }

  /// From now on accesses outside of memory pass, and the profile names them.
  void letStraysPass() { letsStraysPass_ = true; }

  /// Builds and runs. `extra` is told besides what every program is told.
  Expected<Trial> run(const ChangedFiles& changed, const std::vector<std::string>& arguments,
                      const profile::ProgramSettings& extra = {},
                      const std::vector<std::string>& deviceFlags = {});

  /// The same in two steps, for a program that runs more than once. `flags` are for every pass.
  Expected<std::filesystem::path> build(const ChangedFiles& changed,
                                        const std::vector<std::string>& flags,
                                        const std::vector<std::string>& deviceFlags = {});
  Expected<Trial> runBuilt(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const profile::ProgramSettings& extra = {},
                           Recording recording = Recording::On,
                           HostMemory hostMemory = HostMemory::Same);

private:
  Expected<std::filesystem::path> newFolder();

  const RunOptions& options_;
  std::filesystem::path folder_;
  std::string input_ = "/dev/null";
  bool inOrder_ = false;
  bool letsStraysPass_ = false;
  std::atomic<int> count_ = 0;
  std::optional<DeviceCode> code_; ///< what the first program was built with: all others are, too
};

struct TrialDifference {
  std::string text;
  bool isPrinted = false; ///< or in a file: the memory is equal
  std::string watch = {}; ///< the byte of the second run's memory, for HEDDLE_WATCH; empty: none
  std::uint64_t copy = 0; ///< in which it differs
};

struct TrialComparison {
  std::optional<TrialDifference> difference;
  std::uint64_t bytes = 0;    ///< of memory that were compared
  profile::Tolerance largest; ///< relative difference within the tolerance
};

struct TrialEquality {
  profile::Tolerance tolerance;
  std::filesystem::path reordered{}; ///< record of the original in another order of its blocks
  bool ignoreOutput = false;
  VaryingText varying{}; ///< what is printed otherwise in each run
  VaryingFiles files{};  ///< what is written otherwise
};

/// Everything printed, the files, the status, the memory, and what goes outside of it.
Expected<TrialComparison> compareTrials(const Trial& before, const Trial& after,
                                        const TrialEquality& equality);

} // namespace heddle::driver
