// SPDX-License-Identifier: Apache-2.0
#include "driver/ExportCommand.h"

#include "export/Formats.h"
#include "profile/ProfileJson.h"
#include "support/Files.h"

#include <cassert>

namespace heddle::driver {

std::vector<std::string> exportFormats() {
  return {exporting::formatNames.begin(), exporting::formatNames.end()};
}

std::string exportedProfile(const profile::ProgramProfile& profile, const std::string& format,
                            const std::vector<advise::Candidate>& advice) {
  const auto known = exporting::formatNamed(format);
  assert(known && "the flag takes no other");
  return exporting::exported(profile, *known, {.version = HEDDLE_VERSION, .advice = advice});
}

Expected<Answer> runExport(const ExportOptions& options) {
  HEDDLE_TRY(const std::string text, readFile(options.profile));
  HEDDLE_TRY(const profile::ProgramProfile profile, profile::readProfile(text, options.profile));
  Answer answer(exportedProfile(profile, options.format, {}));
  answer.exact = true;
  if (options.output.empty())
    return answer;
  HEDDLE_CHECK(writeFile(options.output, answer.text));
  return Answer();
}

} // namespace heddle::driver
