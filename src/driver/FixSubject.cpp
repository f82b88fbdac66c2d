// SPDX-License-Identifier: Apache-2.0
#include "driver/FixSubject.h"

#include "support/Parse.h"

namespace heddle::driver {
namespace {

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  for (const std::string_view word : splitText(line, ' '))
    if (!word.empty())
      words.emplace_back(word);
  return words;
}

} // namespace

Expected<FixSubject> runOriginal(const FixOptions& options, const std::filesystem::path& folder,
                                 const ProgramTrials::Report& report) {
  FixSubject subject{options, folder,
                     std::make_unique<ProgramTrials>(options.run, folder, options.ignoreOutput)};
  subject.trials->letStraysPass();
  std::vector<ProgramTrials::Input> inputs = {options.run.arguments};
  for (const std::string& line : options.inputs)
    inputs.push_back(wordsOf(line));
  HEDDLE_CHECK(subject.trials->runOriginal(std::move(inputs), report));
  HEDDLE_TRY(subject.sources, readSources(options.run.program, options.run.useCache));
  HEDDLE_CHECK(checkColumn(subject.sources, options.place));
  return subject;
}

} // namespace heddle::driver
