// SPDX-License-Identifier: Apache-2.0
#include "driver/DiffCommand.h"

#include "driver/CheckCommand.h"
#include "export/DiffReport.h"
#include "profile/ProfileJson.h"
#include "support/Files.h"

namespace heddle::driver {
namespace {

Expected<profile::ProgramProfile> readProfileFile(const std::string& file) {
  HEDDLE_TRY(const std::string text, readFile(file));
  return profile::readProfile(text, file);
}

} // namespace

Expected<Answer> runDiff(const DiffOptions& options, const Output& output) {
  if (options.files.size() != 2)
    return fail(ErrorKind::BadInput, "expected two profiles, before and after; found {}",
                options.files.size());
  if (options.lines < 0)
    return fail(ErrorKind::BadInput, "--top {}: expected at least 0", options.lines);
  HEDDLE_TRY(const profile::ProgramProfile before, readProfileFile(options.files[0]));
  HEDDLE_TRY(const profile::ProgramProfile after, readProfileFile(options.files[1]));
  exporting::DiffView view{.nameBefore = options.files[0],
                           .nameAfter = options.files[1],
                           .before = &before,
                           .after = &after,
                           .pairs = profile::pairKernels(before, after)};
  view.held = profile::heldConditions(options.failOn, view.pairs);
  view.conditions = options.failOn.size();
  view.lines = std::size_t(options.lines);
  std::string text = output.json        ? exporting::diffJson(view)
                     : options.markdown ? exporting::diffMarkdown(view)
                                        : exporting::diffText(view, output.style);
  return Answer(std::move(text), "", view.held.empty() ? 0 : foundStatus);
}

} // namespace heddle::driver
