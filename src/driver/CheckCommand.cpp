// SPDX-License-Identifier: Apache-2.0
#include "driver/CheckCommand.h"

#include "analysis/CheckKernels.h"
#include "analysis/SourceForm.h"
#include "driver/CompilerOutput.h"
#include "frontend/DeviceCompiler.h"
#include "frontend/DeviceModule.h"
#include "report/CheckReport.h"
#include "report/SourceText.h"
#include "support/Files.h"
#include "support/NearestName.h"

#include <algorithm>

namespace heddle::driver {
namespace {

using profile::Finding;

constexpr const char* ignoreComment = "heddle: ignore";

Expected<void> validate(const CheckOptions& options) {
  const std::vector<std::string> known = checkIds();
  for (const std::string& id : options.disabled)
    if (std::ranges::find(known, id) == known.end())
      return fail(ErrorKind::NotFound, "--disable {}: no such id{} (there are: {})", id,
                  didYouMean(id, known), fmt::join(known, ", "));
  return {};
}

/// PTX is looked at as its compiler left it.
Expected<std::vector<Finding>> checkFile(const std::string& file, const CheckOptions& options,
                                         const Output& output) {
  if (file.ends_with(".ptx")) {
    HEDDLE_TRY(const std::string text, readFile(file));
    HEDDLE_TRY(const frontend::DeviceModule module, frontend::parseDeviceModule(text, file));
    return analysis::checkKernels(*module.module, options.data);
  }
  HEDDLE_TRY(const std::string bitcode,
             frontend::compileDevice(file, {.flags = analysis::sourceFormFlags(options.flags),
                                            .useCache = options.useCache,
                                            .diagnostics = compilerOutput(output)}));
  HEDDLE_TRY(const frontend::DeviceModule module, frontend::parseDeviceModule(bitcode, file));
  return analysis::checkKernels(*module.module, options.data);
}

/// A place in a header of ours is nothing that the user can change.
bool isWanted(const Finding& finding, const CheckOptions& options, report::SourceText& source) {
  const bool disabled = std::ranges::find(options.disabled, finding.id) != options.disabled.end();
  return !disabled && !frontend::isOwnHeader(finding.where.file) &&
         !frontend::isOwnHeader(finding.cause.file) &&
         source.wholeLine(finding.where).find(ignoreComment) == std::string::npos;
}

} // namespace

std::vector<std::string> checkIds() {
  return analysis::findingIds();
}

Expected<Answer> runCheck(const CheckOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  report::SourceText source;
  std::vector<Finding> findings;
  for (const std::string& file : options.files) {
    HEDDLE_TRY(const std::vector<Finding> all, checkFile(file, options, output));
    for (const Finding& finding : all) {
      const bool isNew = std::ranges::none_of(findings, [&](const Finding& known) {
        return known.where == finding.where && known.id == finding.id; // a shared header
      });
      if (isNew && isWanted(finding, options, source))
        findings.push_back(finding);
    }
  }
  const bool found = std::ranges::any_of(findings, [&](const Finding& finding) {
    return finding.severity == profile::Severity::Warning || options.notesCount;
  });
  return Answer(output.json ? report::checkJson(options.files, findings)
                            : report::checkText(findings, source, output.style) +
                                  report::checkedText(findings.size(), options.data),
                "", found ? foundStatus : 0);
}

} // namespace heddle::driver
