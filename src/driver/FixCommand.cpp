// SPDX-License-Identifier: Apache-2.0
#include "driver/FixCommand.h"

#include "driver/FixSearch.h"
#include "driver/FixVetting.h"
#include "driver/RewritesCommand.h"
#include "driver/UnprovenRewrites.h"
#include "gpu/Nvcc.h"
#include "report/FixReport.h"
#include "rewrite/Rewrite.h"
#include "support/Files.h"
#include "support/StatusLine.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

namespace heddle::driver {
namespace {

constexpr int nothingPays = 1;

Expected<void> validate(const FixOptions& options) {
  if (const auto nvcc = gpu::findNvcc(); !nvcc && nvcc.error().kind == ErrorKind::BadInput)
    return tl::unexpected(nvcc.error());
  if (options.only.empty() || rewrite::findRewrite(options.only) != nullptr)
    return {};
  return fail(ErrorKind::NotFound, "--only {}: there is no such rewrite; known: {}", options.only,
              fmt::join(rewriteNames(), ", "));
}

} // namespace

Expected<Answer> fixProgram(const FixOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  if (options.unproven)
    return printUnproven(options);
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const SignalsForChildren signals; // from here on Ctrl-C ends a child, and we clean up
  StatusLine status;
  const auto report = [&](const std::string& what) { status.show("trying " + what); };
  FixSearch search(options, folder.path(), report);
  HEDDLE_TRY(advise::Fix fix, search.search());
  HEDDLE_CHECK(vetFix(options.run, search.changed(), folder.path(), report, fix));
  status.wipe();
  if (options.inPlace && !fix.applied.empty())
    for (const auto& [file, text] : search.changed())
      HEDDLE_CHECK(writeFile(file, text));
  const int exit = fix.applied.empty() ? nothingPays : 0;
  return Answer(output.json ? report::fixJson(fix) : report::fixText(fix, output.style), "", exit);
}

} // namespace heddle::driver
