// SPDX-License-Identifier: Apache-2.0
#include "driver/StudyCommand.h"

#include "driver/StudyFolder.h"
#include "driver/StudyRunner.h"
#include "machine/DeviceCatalog.h"
#include "report/StudyReport.h"
#include "support/Files.h"
#include "support/StatusLine.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using report::StudyFindings;
using report::StudySession;
using study::Study;

constexpr int findingsStatus = 1;
constexpr int errorStatus = 2;

Expected<void> validate(const StudyOptions& options) {
  if (options.names.size() > 1 && std::ranges::find(options.names, "list") != options.names.end())
    return fail(ErrorKind::BadInput, "'list' stands alone: 'heddle study list'");
  if (options.onGpu && !options.device.empty())
    return fail(ErrorKind::BadInput,
                "--device {} names a modelled GPU, --on gpu uses the one here; leave one out",
                options.device);
  if (!options.device.empty())
    HEDDLE_CHECK(machine::resolveDevice(options.device));
  if (options.workers && (*options.workers < 1 || *options.workers > 4096))
    return fail(ErrorKind::BadInput, "--jobs {}: expected 1 to 4096", *options.workers);
  std::error_code error; // better now than after a long run
  if (!options.outputFolder.empty() && fs::exists(options.outputFolder, error) &&
      !fs::is_directory(options.outputFolder, error))
    return fail(ErrorKind::Io, "-o {}: it is a file, expected a folder", options.outputFolder);
  return {};
}

Expected<Answer> list(const fs::path& folder, const Output& output) {
  HEDDLE_TRY(const std::vector<Study> studies, loadStudies(folder, {"all"}));
  return Answer(output.json ? report::studyListJson(studies)
                            : report::studyListText(studies, output.style));
}

/// The figures and the rows of a study that has run, all drawn before the first is written.
Expected<void> writeFiles(const std::string& folder, const StudyFindings& findings,
                          const StudyOptions& options) {
  if (folder.empty())
    return {};
  std::vector<report::Picture> files = report::studyPictures(findings);
  files.push_back({findings.study.name + ".json",
                   report::studyJson({options.onGpu, options.quick, {findings}})});
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::Io, "cannot create the folder {}: {}", folder, error.message());
  for (const report::Picture& file : files)
    HEDDLE_CHECK(writeFile(fs::path(folder) / file.fileName, file.svg));
  return {};
}

/// Runs every study. One that cannot be run is an error when it is the only one; else it is noted
/// and the others run.
Expected<StudySession> runAll(const std::vector<Study>& studies, const StudyOptions& options,
                              const Output& output) {
  HEDDLE_TRY(const StudyRunner runner, StudyRunner::make(options, output));
  StudySession session{options.onGpu, options.quick, {}};
  StatusLine status;
  for (std::size_t index = 0; index < studies.size(); ++index) {
    const std::string place = fmt::format("{} of {}", index + 1, studies.size());
    auto findings = runner.run(studies[index], place, status);
    if (!findings && studies.size() == 1)
      return tl::unexpected(std::move(findings).error());
    if (findings) {
      HEDDLE_CHECK(writeFiles(options.outputFolder, *findings, options));
    } else
      findings = StudyFindings{studies[index], {}, findings.error().message};
    session.studies.push_back(*std::move(findings));
  }
  return session;
}

Answer answer(const StudySession& session, const Output& output) {
  std::string text =
      output.json ? report::studyJson(session) : report::studyText(session, output.style);
  std::vector<std::string> broken;
  for (const StudyFindings& findings : session.studies)
    if (!findings.error.empty())
      broken.push_back(findings.study.name);
  if (!broken.empty())
    return {std::move(text),
            fmt::format("{} of {} studies could not be run: {}", broken.size(),
                        session.studies.size(), fmt::join(broken, ", ")),
            errorStatus};
  return {std::move(text), "", report::countChecks(session).fail > 0 ? findingsStatus : 0};
}

} // namespace

Expected<Answer> runStudy(const StudyOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  HEDDLE_TRY(const fs::path folder, findStudyFolder(options.studies));
  if (options.names == std::vector<std::string>{"list"})
    return list(folder, output);
  HEDDLE_TRY(const std::vector<Study> studies, loadStudies(folder, options.names));
  HEDDLE_TRY(const StudySession session, runAll(studies, options, output));
  return answer(session, output);
}

} // namespace heddle::driver
