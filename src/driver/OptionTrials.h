// SPDX-License-Identifier: Apache-2.0
//
// Rewritten forms of a program, each run and held against the original: whether it is right, and
// whether it pays.
#pragma once

#include "advise/Verdict.h"
#include "driver/FixCommand.h"
#include "driver/Places.h"
#include "driver/ProgramTrials.h"
#include "profile/ProgramProfile.h"
#include "rewrite/code/Edits.h"
#include "rewrite/code/Refusal.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// Another form of the program against the original.
struct Held {
  std::optional<TrialDifference> difference; ///< nothing: equal for every input
  advise::Proof proof{};
  profile::ProgramProfile after{}; ///< with the first input
  profile::Tolerance largest{};    ///< relative difference within the tolerance
};

/// A rewrite of a place in one form.
struct Option {
  advise::Candidate candidate;
  std::string file;
  rewrite::Edits edits;
  profile::Tolerance tolerance;
  bool needsIndependence = false;
  bool reorders = false; ///< sums of floating-point numbers
  double guess = 0;      ///< of its speedup, before it was tried
  double saved = 0;      ///< estimated seconds, of the whole program
  Held held{};           ///< once it was tried
};

/// One that was tried, and why it is not applied.
struct Attempt {
  Option option;
  std::optional<advise::Candidate> refusal;
};

/// Its candidate as one that is not applied.
advise::Candidate refused(const Option& option, const rewrite::RefusalKind& kind,
                          std::string reason);

/// Estimated, of all kernels.
double secondsOf(const profile::ProgramProfile& profile);
/// Of the kernels with these ids.
advise::Standing standingOf(const profile::ProgramProfile& profile,
                            const std::set<std::string>& ids);
std::set<std::string> kernelIds(const profile::ProgramProfile& profile);

class OptionTrials {
public:
  using FileEdits = std::map<std::string, rewrite::Edits>;
  using Report = ProgramTrials::Report;

  /// All of them outlive it. Once `stopped` is true nothing more is begun, and what ran is nobody's
  /// fault.
  OptionTrials(const FixOptions& options, const Sources& sources, ProgramTrials& trials,
               const std::atomic<bool>& stopped)
      : options_(options), sources_(sources), trials_(trials), stopped_(stopped) {}

  /// The first ones first, as many at once as there are cores, as long as there is time. Nothing
  /// for those that there was none for.
  std::vector<std::optional<Attempt>> tryAll(const std::vector<Option>& options, double budget,
                                             const Report& report);

  /// The files as edits leave them.
  ChangedFiles edited(const FileEdits& edits) const;

  /// Runs it with every input, up to the first that makes a difference.
  Expected<Held> holdAgainstOriginal(const ChangedFiles& files,
                                     const profile::Tolerance& tolerance);

private:
  Attempt tryOne(Option option);
  /// Of a rewrite that reorders sums, unless --tolerance allows for it.
  std::optional<std::string> roundings(const Option& option, const Held& held) const;
  /// Whether both are equal where no multiplication is fused with an addition.
  bool differsByFusion(const ChangedFiles& files, const profile::Tolerance& tolerance);
  /// "; line 12 wrote it", where that can be told.
  std::string writerOf(const ChangedFiles& files, const TrialDifference& difference);

  const FixOptions& options_;
  const Sources& sources_;
  ProgramTrials& trials_;
  const std::atomic<bool>& stopped_;
  std::mutex unfusedMutex_;
  std::optional<Trial> unfused_; ///< the original without fused multiply-adds
};

} // namespace heddle::driver
