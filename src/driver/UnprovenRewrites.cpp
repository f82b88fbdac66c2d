// SPDX-License-Identifier: Apache-2.0
#include "driver/UnprovenRewrites.h"

#include "driver/SourceTexts.h"
#include "machine/DeviceCatalog.h"
#include "rewrite/Rewrite.h"
#include "rewrite/code/UnifiedDiff.h"
#include "support/Files.h"

namespace heddle::driver {
namespace {

using rewrite::Rewrite;

constexpr int nothingLegal = 1;

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

/// A file that is rewritten without a run.
class Unproven {
public:
  static Expected<Unproven> read(const FixOptions& options);

  Expected<Answer> rewriteLine() const;
  Expected<Answer> rewriteEverywhere() const;

private:
  explicit Unproven(const FixOptions& options)
      : options_(options), file_(options.run.files.front()) {}

  rewrite::Legal<std::vector<rewrite::Proposal>> ask(const Rewrite& rewrite,
                                                     rewrite::Target target) const;
  std::string refusalText(int line, const Rewrite& rewrite, const rewrite::Refusal& why) const;
  std::string diffOf(const rewrite::Proposal& proposal) const;
  std::string answerOf(const Rewrite& rewrite, const rewrite::Target& target, bool& isLegal) const;

  const FixOptions& options_;
  const std::string& file_;
  std::string text_;
  std::unique_ptr<rewrite::Source> source_;
  machine::SmLimits limits_;
};

Expected<Unproven> Unproven::read(const FixOptions& options) {
  Unproven result(options);
  HEDDLE_TRY(result.text_, readFile(result.file_));
  HEDDLE_TRY(const machine::Target device, machine::resolveTarget(options.run.device));
  result.limits_ = device.limits;
  HEDDLE_TRY(result.source_, rewrite::Source::parse(result.file_, result.text_, options.run.flags,
                                                    options.run.useCache));
  return result;
}

rewrite::Legal<std::vector<rewrite::Proposal>> Unproven::ask(const Rewrite& rewrite,
                                                             rewrite::Target target) const {
  target.measured.block = options_.block;
  target.measured.limits = limits_;
  if (target.kernel != nullptr)
    if (const auto given = options_.run.registers.find(target.kernel->getNameAsString());
        given != options_.run.registers.end())
      target.measured.registers = int(given->second);
  return rewrite::ask(rewrite, *source_, target);
}

std::string Unproven::refusalText(int line, const Rewrite& rewrite,
                                  const rewrite::Refusal& why) const {
  return fmt::format("{}:{}: {} refused: {} [{}]\n", file_, line, rewrite.name, why.reason,
                     why.kind->id);
}

std::string Unproven::diffOf(const rewrite::Proposal& proposal) const {
  return rewrite::unifiedDiff(diffName(file_), text_,
                              withLineEndsOf(text_, proposal.edits.apply(text_)));
}

/// The rewrite that was named, at the line that was named: a diff and nothing else.
Expected<Answer> Unproven::rewriteLine() const {
  if (options_.only.empty())
    return fail(ErrorKind::BadInput, "--unproven --line: say which rewrite with --only");
  const Rewrite& rewrite = *rewrite::findRewrite(options_.only);
  const int line = int(options_.line);
  rewrite::Target target;
  target.branch = rewrite::findBranch(*source_, line, 0);
  const clang::FunctionDecl* function =
      target.branch ? target.branch->function : rewrite::kernelAt(*source_, line);
  if (function == nullptr || (!target.branch && !rewrite.ofKernel))
    return fail(ErrorKind::NotFound, "--line {}: no branch begins in that line of {}", line, file_);
  target.kernel = rewrite::kernelOf(*source_, *function);
  const auto proposals = ask(rewrite, target);
  if (!proposals)
    return Answer(refusalText(line, rewrite, proposals.error()), "", nothingLegal);
  HEDDLE_TRY(const rewrite::Proposal* proposal, chooseForm(*proposals, options_.form));
  return Answer(diffOf(*proposal));
}

/// Its forms, each with its place as a heading, or its refusal.
std::string Unproven::answerOf(const Rewrite& rewrite, const rewrite::Target& target,
                               bool& isLegal) const {
  const int line = source_->lineOf(target.branch ? target.branch->statement->getBeginLoc()
                                                 : target.kernel->getLocation());
  const auto proposals = ask(rewrite, target);
  if (!proposals)
    return refusalText(line, rewrite, proposals.error());
  std::string text;
  for (const rewrite::Proposal& each : *proposals)
    if (options_.form.empty() || each.form == options_.form) {
      isLegal = true;
      text += fmt::format("{}:{}: {}{}{}\n{}", file_, line, rewrite.name,
                          each.form.empty() ? "" : " ", each.form, diffOf(each));
    }
  return text;
}

/// Every form of a rewrite that is legal somewhere, each as a diff of its own, and the refusals.
Expected<Answer> Unproven::rewriteEverywhere() const {
  std::string all;
  bool anyIsLegal = false;
  for (const rewrite::Target& target : rewrite::allTargets(*source_))
    for (const Rewrite* rewrite : rewrite::allRewrites())
      if (rewrite->ofKernel == !target.branch &&
          (options_.only.empty() || options_.only == rewrite->name))
        all += answerOf(*rewrite, target, anyIsLegal);
  return Answer(all, "", anyIsLegal ? 0 : nothingLegal);
}

} // namespace

Expected<Answer> printUnproven(const FixOptions& options) {
  HEDDLE_TRY(const Unproven unproven, Unproven::read(options));
  return options.line == 0 ? unproven.rewriteEverywhere() : unproven.rewriteLine();
}

} // namespace heddle::driver
