// SPDX-License-Identifier: Apache-2.0
#include "driver/FixCommand.h"

#include "driver/Advice.h"
#include "driver/FixBundle.h"
#include "driver/FixChoice.h"
#include "driver/FixSearch.h"
#include "driver/FixVetting.h"
#include "driver/RewritesCommand.h"
#include "driver/RunRefusals.h"
#include "driver/UnprovenRewrites.h"
#include "gpu/Nvcc.h"
#include "report/FixReport.h"
#include "rewrite/Rewrite.h"
#include "support/Files.h"
#include "support/StatusLine.h"
#include "support/StopSignals.h"
#include "support/TemporaryFolder.h"

namespace heddle::driver {
namespace {

constexpr int nothingPays = 1;

Expected<void> validate(const FixOptions& options) {
  if (const auto nvcc = gpu::findNvcc(); !nvcc && nvcc.error().kind == ErrorKind::BadInput)
    return tl::unexpected(nvcc.error());
  if (options.tolerance < 0 || options.tolerance >= 1)
    return fail(ErrorKind::BadInput, "--tolerance {}: expected 0 to below 1", options.tolerance);
  if (options.only.empty() || rewrite::findRewrite(options.only) != nullptr)
    return {};
  return fail(ErrorKind::NotFound, "--only {}: there is no such rewrite; known: {}", options.only,
              fmt::join(rewriteNames(), ", "));
}

Expected<void> writeInPlace(const FixResult& result) {
  std::vector<FileText> files;
  for (const auto& [file, text] : result.changed) {
    HEDDLE_TRY(const std::string now, readFile(file));
    if (now != result.sources.at(file)->text())
      return fail(ErrorKind::BadInput,
                  "{} has changed since it was read, so nothing is written; run it again", file);
    files.push_back({file, text});
  }
  return writeFiles(files);
}

/// Whether `heddle fix` with nothing but the program would find the same.
bool isPlain(const FixOptions& options) {
  return options.run.useCache && gpu::mayUseNvcc() && options.only.empty() &&
         options.place.line == 0 && options.tolerance == 0 && !options.ignoreOutput &&
         !options.trust && !options.likely;
}

/// A question about each rewrite, where there is somebody to answer and something to write.
Choose choiceOf(const FixOptions& options, const Output& output, StatusLine& status) {
  if (!options.inPlace || options.all || output.json || !isTerminal(stdin) || !isTerminal(stdout))
    return {};
  return [&status, choice = FixChoice(stdin, stdout, output.style)](
             const advise::Candidate& candidate, const std::string& diff) mutable {
    status.wipe();
    return choice(candidate, diff);
  };
}

/// A signal ends what runs; what was proven by then is the answer.
Expected<FixResult> searchUntilStopped(const FixOptions& options,
                                       const std::filesystem::path& folder,
                                       const ProgramTrials::Report& report, const Choose& choose) {
  std::atomic<bool> stopped = false;
  const PoliteStop stop([&](const StopRequest&) { stopped = true; }, ChildrenOnStop::End);
  auto result = searchFixes(options, folder, report, choose, stopped);
  if (!result && stopSignal() != 0)
    result = FixResult(); // what failed is what the stop has ended
  if (result)
    result->fix.stopped = stopSignal();
  return result;
}

std::size_t triedOf(const advise::Fix& fix) {
  return std::size_t(std::ranges::count_if(fix.candidates, [](const advise::Candidate& each) {
    return each.id != runRefusals["not-tried"].id;
  }));
}

/// Nothing is written: who stops a search wants to decide anew.
Answer stoppedAnswer(const advise::Fix& fix, const Output& output) {
  if (fix.candidates.empty())
    return {"", "stopped before a rewrite was tried; no file was changed", 128 + fix.stopped};
  Answer answer(output.json ? report::fixJson(fix) : report::fixText(fix, output.style),
                fmt::format("stopped; {} of {} rewrites were tried, {}, and no file was changed",
                            triedOf(fix), fix.candidates.size(),
                            fix.applied.empty() ? "none pays so far" : "what pays so far is above"),
                128 + fix.stopped);
  answer.exact = true;
  return answer;
}

} // namespace

Expected<Answer> fixProgram(const FixOptions& given, const Output& output) {
  HEDDLE_CHECK(validate(given));
  if (!given.measured.empty())
    return applyMeasured(given, output);
  FixOptions options = given;
  HEDDLE_TRY(options.run, withSources(given.run));
  if (options.unproven)
    return printUnproven(options).map([](Answer answer) {
      answer.exact = true;
      return answer;
    });
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  StatusLine status;
  const auto report = [&](const std::string& what) { status.show("trying " + what); };
  HEDDLE_TRY(FixResult result,
             searchUntilStopped(options, folder.path(), report, choiceOf(options, output, status)));
  advise::Fix& fix = result.fix;
  if (fix.stopped == 0)
    HEDDLE_CHECK(vetFix(options.run, result.changed, folder.path(), report, fix));
  status.wipe();
  if (fix.stopped != 0)
    return stoppedAnswer(fix, output);
  if (!options.bundle.empty())
    HEDDLE_CHECK(writeBundle(options, result.forms, result.sources, folder.path()));
  if (isPlain(options) && fix.strays.empty()) // else 'heddle run' does not come to its end
    keepVerdicts(fix, result.profile, result.sources, options.run.program);
  if (options.inPlace && !fix.applied.empty())
    HEDDLE_CHECK(writeInPlace(result));
  const int exit = fix.applied.empty() ? nothingPays : 0;
  Answer answer(output.json ? report::fixJson(fix) : report::fixText(fix, output.style), "", exit);
  answer.exact = true;
  return answer;
}

} // namespace heddle::driver
