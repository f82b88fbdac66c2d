// SPDX-License-Identifier: Apache-2.0
#include "driver/UnprovenRewrites.h"

#include "driver/Places.h"
#include "driver/SourceTexts.h"
#include "frontend/DeviceModule.h"
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
  Expected<std::vector<rewrite::Target>> askedTargets(const Rewrite& rewrite) const;
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

/// As it stands in the source, or any name of one that the source makes of it.
bool isNameOf(const std::string& name, const clang::FunctionDecl& kernel) {
  return name == kernel.getNameAsString() ||
         std::ranges::any_of(rewrite::symbolsOf(kernel), [&](const std::string& symbol) {
           return frontend::isNameOf(name, symbol);
         });
}

rewrite::Legal<std::vector<rewrite::Proposal>> Unproven::ask(const Rewrite& rewrite,
                                                             rewrite::Target target) const {
  target.measured.block = options_.block;
  target.measured.limits = limits_;
  if (target.kernel != nullptr)
    for (const auto& [name, registers] : options_.run.registers)
      if (isNameOf(name, *target.kernel))
        target.measured.registers = int(registers);
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

/// The branches that were asked for, or the kernel.
Expected<std::vector<rewrite::Target>> Unproven::askedTargets(const Rewrite& rewrite) const {
  const auto [line, column] = options_.place;
  std::vector<rewrite::BranchStatement> branches;
  if (column == 0)
    branches = rewrite::branchesOfLine(*source_, line);
  else if (auto branch = rewrite::findBranch(*source_, line, column))
    branches.push_back(*std::move(branch));
  if (rewrite.ofKernel && branches.size() > 1)
    branches.resize(1); // all of one kernel
  std::vector<rewrite::Target> targets;
  for (rewrite::BranchStatement& branch : branches) {
    rewrite::Target& target = targets.emplace_back();
    target.kernel = rewrite::kernelOf(*source_, *branch.function);
    target.branch = std::move(branch);
  }
  if (targets.empty() && rewrite.ofKernel)
    if (const clang::FunctionDecl* kernel = rewrite::kernelAt(*source_, line))
      targets.emplace_back().kernel = rewrite::kernelOf(*source_, *kernel);
  if (!targets.empty())
    return targets;
  const std::string columns = columnsOf(*source_, line);
  if (columns.empty())
    return fail(ErrorKind::NotFound, "--line {}: no branch begins in that line of {}", line, file_);
  return fail(ErrorKind::NotFound, "--line {}:{}: no branch is there; {} has some at column {}",
              line, column, file_, columns);
}

/// The rewrite that was named, at the place that was named: a diff and nothing else. Of several
/// branches in a line it is the one that can be rewritten.
Expected<Answer> Unproven::rewriteLine() const {
  if (options_.only.empty())
    return fail(ErrorKind::BadInput, "--unproven --line: say which rewrite with --only");
  const Rewrite& rewrite = *rewrite::findRewrite(options_.only);
  HEDDLE_TRY(const std::vector<rewrite::Target> targets, askedTargets(rewrite));
  rewrite::Legal<std::vector<rewrite::Proposal>> proposals = ask(rewrite, targets.back());
  std::vector<int> legal;
  for (const rewrite::Target& target : targets)
    if (auto here = ask(rewrite, target)) {
      legal.push_back(target.branch ? source_->columnOf(target.branch->statement->getBeginLoc())
                                    : 0);
      proposals = std::move(here);
    }
  const int line = options_.place.line;
  if (legal.size() > 1)
    return fail(ErrorKind::BadInput,
                "--line {0}: {1} could rewrite {2} branches of that line, at column {3}; say which "
                "with --line {0}:{4}",
                line, rewrite.name, legal.size(), fmt::join(legal, ", "), legal.front());
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
  return options.place.line == 0 ? unproven.rewriteEverywhere() : unproven.rewriteLine();
}

} // namespace heddle::driver
