// SPDX-License-Identifier: Apache-2.0
//
// The search for rewrites that pay.
//
//   1. The program runs as it is: where are lanes lost, and what does its memory hold?
//   2. Every rewrite is asked for every place that loses enough: what it proposes, or why not.
//   Those
//      that change the order between threads need a run in which no thread touched what another one
//      wrote.
//   3. Every proposal runs on the engine with the same input. One whose results differ is
//   withdrawn,
//      one that is not faster is refused.
//   4. The best are put together, as long as they do not touch the same lines and together are
//      faster still.
#pragma once

#include "advise/Verdict.h"
#include "driver/FixCommand.h"
#include "driver/Places.h"
#include "driver/Trial.h"

#include <functional>

namespace heddle::driver {

class FixSearch {
public:
  using Report = std::function<void(const std::string&)>; ///< what is being tried

  FixSearch(const FixOptions& options, const std::filesystem::path& folder, Report report)
      : options_(options), folder_(folder), bench_(options.run, folder),
        report_(std::move(report)) {}

  Expected<advise::Fix> search();

  /// The files as the rewrites that it applied leave them.
  const ChangedFiles& changed() const { return changed_; }
  /// One of them as it was read.
  const std::string& original(const std::string& file) const;

  /// Of the program as it is, with the first input.
  const profile::ProgramProfile& profile() const { return before_.front().profile; }
  const Sources& sources() const { return sources_; }

private:
  struct Option {
    advise::Candidate candidate;
    std::string file;
    rewrite::Edits edits;
    profile::Tolerance tolerance;
    bool needsIndependence = false;
    double saved = 0; ///< estimated seconds, of the whole program
  };

  Expected<void> runOriginal();
  void findOptions();
  void ask(const rewrite::Rewrite& rewrite, const Place& place);
  Expected<void> refuseDependent();
  Expected<void> tryOptions();
  Expected<bool> tryOption(Option& option);
  Expected<void> combine();
  Expected<Trial> runChanged(const ChangedFiles& files, std::size_t input);
  TrialEquality equality(const profile::Tolerance& tolerance) const {
    return {tolerance, options_.ignoreOutput};
  }
  /// Whether both are equal where no multiplication is fused with an addition.
  bool differsByFusion(const ChangedFiles& files, const profile::Tolerance& tolerance);
  std::string edited(const std::string& file, const rewrite::Edits& edits) const;
  /// "; line 12 wrote it", where that can be told.
  std::string writerOf(const ChangedFiles& files, const TrialDifference& difference);
  /// Nothing: equal for every input.
  Expected<std::optional<TrialDifference>>
  differs(const ChangedFiles& files, const profile::Tolerance& tolerance, Trial& first);
  void refuse(const Option& option, const rewrite::RefusalKind& kind, std::string reason);
  void describe(const Trial& after);

  const FixOptions& options_;
  std::filesystem::path folder_;
  TrialBench bench_;
  Report report_;
  std::vector<std::vector<std::string>> inputs_; ///< arguments of the runs
  std::vector<Trial> before_;                    ///< one an input
  std::optional<Trial> unfused_;                 ///< the first, without fused multiply-adds
  Sources sources_;
  machine::SmLimits limits_; ///< of the modelled GPU
  std::vector<Option> found_, paying_;
  std::vector<std::pair<std::string, std::string>> environment_;
  ChangedFiles changed_;
  advise::Fix fix_;
};

} // namespace heddle::driver
