// SPDX-License-Identifier: Apache-2.0
//
// A program as it is, and other forms of it that must do the same. It runs once for each input, and
// the first input twice: what differs between two runs of the same program cannot be asked of
// another one.
#pragma once

#include "driver/Trial.h"
#include "driver/VaryingFiles.h"
#include "driver/VaryingText.h"

#include <functional>
#include <mutex>

namespace heddle::driver {

class ProgramTrials {
public:
  using Report = std::function<void(const std::string&)>; ///< what is being done
  using Input = std::vector<std::string>;                 ///< arguments of a run

  /// `folder` is ours, and lives as long as the records are needed.
  ProgramTrials(const RunOptions& options, const std::filesystem::path& folder, bool ignoreOutput)
      : bench_(options, folder), ignoreOutput_(ignoreOutput) {}

  /// A program that goes outside of its memory runs again with such accesses let pass, and so do
  /// all of its forms.
  void letStraysPass() { straysMayPass_ = true; }

  /// Runs the program as it is. Refuses one that launches no kernel, does not come to its end, or
  /// leaves other memory when it runs again. `extra` is for the first run alone.
  Expected<void> runOriginal(std::vector<Input> inputs, const Report& report,
                             const profile::ProgramSettings& extra = {});

  std::size_t inputs() const { return inputs_.size(); }
  const Input& input(std::size_t number) const { return inputs_[number]; }
  const Trial& original(std::size_t input = 0) const { return originals_[input]; }
  /// The program as it is, built.
  const std::filesystem::path& program() const { return program_; }
  /// How long a run took, built and all.
  double seconds() const { return buildSeconds_ + runSeconds_; }

  Expected<Trial> run(const ChangedFiles& changed, std::size_t input,
                      const profile::ProgramSettings& extra = {},
                      const std::vector<std::string>& deviceFlags = {}) {
    return bench_.run(changed, inputs_[input], extra, deviceFlags);
  }
  TrialBench& bench() { return bench_; }

  /// A run of another form with one of the inputs against the original. Where only what it printed
  /// or wrote differs the original runs again: that may be otherwise each time. Where sums of
  /// floats may come in another order, it also runs with its blocks in another order: on a GPU they
  /// have none.
  Expected<TrialComparison> compare(std::size_t input, const Trial& after,
                                    const profile::Tolerance& tolerance);

  /// What the original itself printed or wrote otherwise: "line 3 ('0.52')", "file a.txt: line 1
  /// ('7')".
  std::vector<std::string> setAside() const;

  /// The accesses outside of memory that passed, with all inputs.
  std::vector<profile::Stray> strays() const;

private:
  Expected<void> runInputs(const profile::ProgramSettings& extra);
  Expected<void> runPastStrays(const profile::ProgramSettings& extra, const Report& report);
  Expected<void> runAgain();
  Expected<void> learn(std::size_t input);
  Expected<void> learnFrom(std::size_t input, const Trial& again);
  Expected<void> reorder(std::size_t input);
  std::string writerOf(std::size_t input, const TrialDifference& difference);

  TrialBench bench_;
  bool ignoreOutput_;
  bool straysMayPass_ = false;
  std::filesystem::path program_;
  std::vector<Input> inputs_;
  std::vector<Trial> originals_;
  double buildSeconds_ = 0, runSeconds_ = 0;
  mutable std::mutex mutex_;         ///< guards what is below
  std::vector<VaryingText> varying_; ///< one an input
  std::vector<VaryingFiles> varyingFiles_;
  std::vector<int> runsAgain_;
  /// With its blocks in another order, where that was asked for; without a record it says nothing.
  std::vector<std::optional<Trial>> reordered_;
};

} // namespace heddle::driver
