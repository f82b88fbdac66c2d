// SPDX-License-Identifier: Apache-2.0
#include "driver/HoldForm.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {

Expected<Held> holdAgainstOriginal(const FixSubject& subject, const ChangedFiles& files,
                                   const profile::Tolerance& tolerance) {
  ProgramTrials& trials = *subject.trials;
  Held held;
  held.proof = {.tolerance = tolerance.floats, .outputIgnored = subject.options.ignoreOutput};
  for (std::size_t i = 0; i < trials.inputs(); ++i) {
    HEDDLE_TRY(Trial trial, trials.run(files, i));
    const auto result = trials.compare(i, trial, tolerance);
    std::error_code error;
    std::filesystem::remove(trial.record, error); // it may be large
    HEDDLE_TRY(const TrialComparison compared, result);
    held.difference = compared.difference;
    held.largest.floats = std::max(held.largest.floats, compared.largest.floats);
    held.largest.doubles = std::max(held.largest.doubles, compared.largest.doubles);
    held.proof.largest = std::max(held.largest.floats, held.largest.doubles);
    if (held.difference)
      return held;
    ++held.proof.runs;
    held.proof.bytes += compared.bytes;
    held.proof.printed += trial.printed.size();
    if (i == 0)
      held.after = std::move(trial.profile);
  }
  held.proof.equal = true;
  return held;
}

} // namespace heddle::driver
