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
#include "driver/FixBundle.h"
#include "driver/FixChoice.h"
#include "driver/FixCommand.h"
#include "driver/OptionTrials.h"
#include "driver/Places.h"
#include "driver/ProgramTrials.h"

#include <atomic>
#include <chrono>
#include <functional>

namespace heddle::driver {

class FixSearch {
public:
  using Report = ProgramTrials::Report;

  /// `choose` is asked for each that pays, the best first; without it all are taken.
  FixSearch(const FixOptions& options, const std::filesystem::path& folder, Report report,
            Choose choose = {})
      : options_(options), folder_(folder), trials_(options.run, folder, options.ignoreOutput),
        held_(options, sources_, trials_, stopped_), report_(std::move(report)),
        choose_(std::move(choose)) {}

  Expected<advise::Fix> search();

  /// From another thread: begins nothing more. What was proven by then is the answer.
  void stop() { stopped_ = true; }

  /// The files as the rewrites that it applied leave them.
  const ChangedFiles& changed() const { return changed_; }
  /// One of them as it was read.
  const std::string& original(const std::string& file) const;

  /// Every form that is right and that may pay, then all that were put together.
  std::vector<ProvenForm> forms() const;

  /// Of the program as it is, with the first input.
  const profile::ProgramProfile& profile() const { return trials_.original().profile; }
  const Sources& sources() const { return sources_; }

private:
  Expected<void> runOriginal();
  void findOptions();
  /// Whether the rewrite is for code like that, legal or not.
  bool ask(const rewrite::Rewrite& rewrite, const Place& place);
  Expected<void> refuseDependent();
  void tryOptions();
  /// Of the budget.
  double secondsLeft() const;
  void combine();
  /// Why an option is not put together with those that were; nothing: it is.
  const rewrite::RefusalKind* add(Option& option);
  void describe();
  std::string diffOf(const ChangedFiles& files) const;

  /// Those that were put together.
  struct Together {
    OptionTrials::FileEdits edits;
    profile::Tolerance tolerance;
    double saved = 0; ///< seconds
    Held held;
    std::vector<advise::Candidate> chosen;
  };

  const FixOptions& options_;
  std::filesystem::path folder_;
  std::atomic<bool> stopped_ = false;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Sources sources_;
  ProgramTrials trials_;
  OptionTrials held_;
  Report report_;
  Choose choose_;
  machine::SmLimits limits_; ///< of the modelled GPU
  std::vector<Option> found_, paying_;
  std::vector<ProvenForm> forms_;
  Together together_;
  ChangedFiles changed_;
  advise::Fix fix_;
};

} // namespace heddle::driver
