// SPDX-License-Identifier: Apache-2.0
#include "driver/FixCommand.h"

#include "driver/Advice.h"
#include "driver/FixSearch.h"
#include "driver/FixVetting.h"
#include "driver/RewritesCommand.h"
#include "driver/UnprovenRewrites.h"
#include "gpu/Nvcc.h"
#include "report/FixReport.h"
#include "rewrite/Rewrite.h"
#include "support/Files.h"
#include "support/StatusLine.h"
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

Expected<void> writeInPlace(const FixSearch& search) {
  std::vector<FileText> files;
  for (const auto& [file, text] : search.changed()) {
    HEDDLE_TRY(const std::string now, readFile(file));
    if (now != search.original(file))
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

} // namespace

Expected<Answer> fixProgram(const FixOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  if (options.unproven)
    return printUnproven(options).map([](Answer answer) {
      answer.exact = true;
      return answer;
    });
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  StatusLine status;
  const auto report = [&](const std::string& what) { status.show("trying " + what); };
  FixSearch search(options, folder.path(), report);
  HEDDLE_TRY(advise::Fix fix, search.search());
  HEDDLE_CHECK(vetFix(options.run, search.changed(), folder.path(), report, fix));
  status.wipe();
  if (isPlain(options))
    keepVerdicts(fix.candidates, search.profile(), search.sources(), options.run.files,
                 options.run.flags);
  if (options.inPlace && !fix.applied.empty())
    HEDDLE_CHECK(writeInPlace(search));
  const int exit = fix.applied.empty() ? nothingPays : 0;
  Answer answer(output.json ? report::fixJson(fix) : report::fixText(fix, output.style), "", exit);
  answer.exact = true;
  return answer;
}

} // namespace heddle::driver
