// SPDX-License-Identifier: Apache-2.0
#include "driver/FixCommand.h"

#include "driver/FixSearch.h"
#include "report/FixReport.h"
#include "rewrite/Rewrite.h"
#include "rewrite/UnifiedDiff.h"
#include "support/Files.h"
#include "support/StatusLine.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

namespace heddle::driver {
namespace {

using rewrite::Rewrite;

constexpr int nothingPays = 1;

Expected<void> validate(const FixOptions& options) {
  if (options.only.empty() || rewrite::findRewrite(options.only) != nullptr)
    return {};
  std::vector<std::string> names;
  for (const Rewrite& each : rewrite::allRewrites())
    names.emplace_back(each.name);
  return fail(ErrorKind::NotFound, "--only {}: there is no such rewrite; known: {}", options.only,
              fmt::join(names, ", "));
}

Expected<const rewrite::Proposal*> chooseForm(const std::vector<rewrite::Proposal>& proposals,
                                              const std::string& form) {
  std::vector<std::string> forms;
  for (const rewrite::Proposal& each : proposals) {
    if (form.empty() || each.form == form)
      return &each;
    forms.push_back(each.form);
  }
  return fail(ErrorKind::NotFound, "--form {}: there is no such form; there are: {}", form,
              fmt::join(forms, ", "));
}

int givenRegisters(const FixOptions& options, const clang::FunctionDecl& kernel) {
  const auto found = options.run.registers.find(kernel.getNameAsString());
  return found != options.run.registers.end() ? int(found->second) : 0;
}

/// The rewrite that was named, at the line that was named.
Expected<Answer> rewriteUnproven(const FixOptions& options) {
  if (options.only.empty() || options.line < 1)
    return fail(ErrorKind::BadInput, "--unproven --line: say which rewrite with --only");
  const std::string& file = options.run.files.front();
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(const auto source,
             rewrite::Source::parse(file, text, options.run.flags, options.run.useCache));
  const Rewrite& rewrite = *rewrite::findRewrite(options.only);
  rewrite::Target target;
  target.branch = rewrite::findBranch(*source, int(options.line), 0);
  target.measured.block = options.block;
  const clang::FunctionDecl* function =
      target.branch ? target.branch->function : rewrite::kernelAt(*source, int(options.line));
  if (function == nullptr || (!target.branch && !rewrite.ofKernel))
    return fail(ErrorKind::NotFound, "--line {}: no branch begins in that line of {}", options.line,
                file);
  target.kernel = rewrite::kernelOf(*source, *function);
  if (target.kernel != nullptr)
    target.measured.registers = givenRegisters(options, *target.kernel);
  const auto proposals = rewrite.propose(*source, target);
  if (!proposals)
    return Answer(fmt::format("{}:{}: {} refused: {} [{}]\n", file, options.line, rewrite.name,
                              proposals.error().reason, proposals.error().id),
                  "", nothingPays);
  HEDDLE_TRY(const rewrite::Proposal* proposal, chooseForm(*proposals, options.form));
  return Answer(rewrite::unifiedDiff(file, text, proposal->edits.apply(text)));
}

/// Every form of a rewrite that is legal somewhere, each as a diff of its own, and the refusals.
Expected<Answer> rewriteEverywhere(const FixOptions& options) {
  const std::string& file = options.run.files.front();
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(const auto source,
             rewrite::Source::parse(file, text, options.run.flags, options.run.useCache));
  std::string all;
  bool any = false;
  const auto ask = [&](const Rewrite& rewrite, const rewrite::Target& target) {
    const clang::SourceLocation at =
        target.branch ? target.branch->statement->getBeginLoc() : target.kernel->getLocation();
    const std::string place = fmt::format("{}:{}: {}", file, source->lineOf(at), rewrite.name);
    const auto proposals = rewrite.propose(*source, target);
    if (!proposals) {
      all += fmt::format("{} refused: {} [{}]\n", place, proposals.error().reason,
                         proposals.error().id);
      return;
    }
    for (const rewrite::Proposal& each : *proposals)
      if (options.form.empty() || each.form == options.form) {
        any = true;
        all += fmt::format("{}{}{}\n{}", place, each.form.empty() ? "" : " ", each.form,
                           rewrite::unifiedDiff(file, text, each.edits.apply(text)));
      }
  };
  for (rewrite::Target& target : rewrite::allTargets(*source)) {
    target.measured.block = options.block;
    target.measured.registers = givenRegisters(options, *target.kernel);
    for (const Rewrite& rewrite : rewrite::allRewrites())
      if (rewrite.ofKernel == !target.branch &&
          (options.only.empty() || options.only == rewrite.name))
        ask(rewrite, target);
  }
  return Answer(all, "", any ? 0 : nothingPays);
}

} // namespace

Expected<Answer> fixProgram(const FixOptions& options, const Output& output) {
  HEDDLE_CHECK(validate(options));
  if (options.unproven)
    return options.line == 0 ? rewriteEverywhere(options) : rewriteUnproven(options);
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const SignalsForChildren signals; // from here on Ctrl-C ends a child, and we clean up
  StatusLine status;
  FixSearch search(options, folder.path(),
                   [&](const std::string& what) { status.show("trying " + what); });
  HEDDLE_TRY(const advise::Fix fix, search.search());
  status.wipe();
  if (options.inPlace)
    for (const auto& [file, text] : search.changed())
      HEDDLE_CHECK(writeFile(file, text));
  const int exit = fix.applied.empty() ? nothingPays : 0;
  return Answer(output.json ? report::fixJson(fix) : report::fixText(fix, output.style), "", exit);
}

} // namespace heddle::driver
