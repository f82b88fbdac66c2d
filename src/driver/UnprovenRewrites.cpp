// SPDX-License-Identifier: Apache-2.0
#include "driver/UnprovenRewrites.h"

#include "driver/Places.h"
#include "driver/SourceTexts.h"
#include "frontend/DeviceModule.h"
#include "rewrite/Rewrite.h"
#include "rewrite/code/UnifiedDiff.h"
#include <algorithm>

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

/// A program that is rewritten without a run.
class Unproven {
public:
  static Expected<Unproven> read(const FixOptions& options);

  Expected<Answer> rewriteLine() const;
  Expected<Answer> rewriteEverywhere() const;

private:
  /// A place of one of the files.
  struct Asked {
    const rewrite::Source* source;
    rewrite::Target target;
  };

  explicit Unproven(const FixOptions& options) : options_(options) {}

  rewrite::Legal<std::vector<rewrite::Proposal>> ask(const Rewrite& rewrite, Asked asked) const;
  void addTargets(const Rewrite& rewrite, const rewrite::Source& source,
                  std::vector<Asked>& all) const;
  Expected<std::vector<Asked>> askedTargets(const Rewrite& rewrite) const;
  std::string answerOf(const Rewrite& rewrite, const Asked& asked, bool& isLegal) const;

  const FixOptions& options_;
  Sources sources_;
  machine::SmLimits limits_;
};

int lineOf(const rewrite::Source& source, const rewrite::Target& target) {
  return source.lineOf(target.branch ? target.branch->statement->getBeginLoc()
                                     : target.kernel->getLocation());
}

std::string refusalText(const std::string& file, int line, const Rewrite& rewrite,
                        const rewrite::Refusal& why) {
  return fmt::format("{}:{}: {} refused: {} [{}]\n", file, line, rewrite.name, why.reason,
                     why.kind->id);
}

std::string diffOf(const rewrite::Source& source, const rewrite::Proposal& proposal) {
  return rewrite::unifiedDiff(diffName(source.file()), source.text(),
                              withLineEndsOf(source.text(), proposal.edits.apply(source.text())));
}

Expected<Unproven> Unproven::read(const FixOptions& options) {
  Unproven result(options);
  result.limits_ = options.run.device.gpu.limits;
  HEDDLE_TRY(result.sources_, readSources(options.run.program, options.run.useCache));
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
                                                             Asked asked) const {
  rewrite::Target& target = asked.target;
  target.measured.block = options_.block;
  target.measured.limits = limits_;
  target.form = options_.form;
  if (target.kernel != nullptr)
    for (const auto& [name, registers] : options_.run.registers)
      if (isNameOf(name, *target.kernel))
        target.measured.registers = int(registers);
  return rewrite::ask(rewrite, *asked.source, target);
}

/// The branches of a file that were asked for, or the kernel.
void Unproven::addTargets(const Rewrite& rewrite, const rewrite::Source& source,
                          std::vector<Asked>& all) const {
  const AskedPlace& place = options_.place;
  std::vector<rewrite::BranchStatement> branches;
  if (place.column == 0)
    branches = rewrite::branchesOfLine(source, place.line);
  else if (auto branch = rewrite::findBranch(source, place.line, place.column))
    branches.push_back(*std::move(branch));
  if (rewrite.ofKernel && branches.size() > 1)
    branches.resize(1); // all of one kernel
  const clang::FunctionDecl* const kernel =
      branches.empty() && rewrite.ofKernel ? rewrite::kernelAt(source, place.line) : nullptr;
  for (rewrite::BranchStatement& branch : branches) {
    const clang::FunctionDecl* const holder = rewrite::kernelOf(source, *branch.function);
    all.push_back({&source, {holder, std::move(branch), {}}});
  }
  if (kernel != nullptr)
    all.push_back({&source, {rewrite::kernelOf(source, *kernel), std::nullopt, {}}});
}

Expected<std::vector<Unproven::Asked>> Unproven::askedTargets(const Rewrite& rewrite) const {
  const AskedPlace& place = options_.place;
  std::vector<Asked> targets;
  std::string columns, names;
  for (const auto& [file, source] : sources_) {
    names += (names.empty() ? "" : ", ") + file;
    if (!place.isLine(file, place.line))
      continue;
    addTargets(rewrite, *source, targets);
    if (columns.empty())
      columns = columnsOf(*source, place.line);
  }
  const bool isOneFile = std::ranges::all_of(
      targets, [&](const Asked& each) { return each.source == targets.front().source; });
  if (!isOneFile)
    return fail(ErrorKind::BadInput,
                "--line {0}: more than one file has a branch there; say which with --line {1}:{0}",
                place.line, targets.front().source->file());
  if (!targets.empty())
    return targets;
  if (columns.empty())
    return fail(ErrorKind::NotFound, "--line {}: no branch begins in that line of {}", place.line,
                place.file.empty() ? names : place.file);
  return fail(ErrorKind::NotFound,
              "--line {}:{}: no branch is there; in that line branches begin "
              "at column {}",
              place.line, place.column, columns);
}

/// The rewrite that was named, at the place that was named: a diff and nothing else. Of several
/// branches in a line it is the one that can be rewritten.
Expected<Answer> Unproven::rewriteLine() const {
  if (options_.only.empty())
    return fail(ErrorKind::BadInput, "--unproven --line: say which rewrite with --only");
  const Rewrite& rewrite = *rewrite::findRewrite(options_.only);
  HEDDLE_TRY(const std::vector<Asked> targets, askedTargets(rewrite));
  const rewrite::Source& source = *targets.front().source;
  rewrite::Legal<std::vector<rewrite::Proposal>> proposals = ask(rewrite, targets.back());
  std::vector<int> legal;
  for (const Asked& each : targets)
    if (auto here = ask(rewrite, each)) {
      const auto& branch = each.target.branch;
      legal.push_back(branch ? source.columnOf(branch->statement->getBeginLoc()) : 0);
      proposals = std::move(here);
    }
  const int line = options_.place.line;
  if (legal.size() > 1)
    return fail(ErrorKind::BadInput,
                "--line {0}: {1} could rewrite {2} branches of that line, at column {3}; say which "
                "with --line {0}:{4}",
                line, rewrite.name, legal.size(), fmt::join(legal, ", "), legal.front());
  if (!proposals)
    return Answer(refusalText(source.file(), line, rewrite, proposals.error()), "", nothingLegal);
  HEDDLE_TRY(const rewrite::Proposal* proposal, chooseForm(*proposals, options_.form));
  return Answer(diffOf(source, *proposal));
}

/// Its forms, each with its place as a heading, or its refusal.
std::string Unproven::answerOf(const Rewrite& rewrite, const Asked& asked, bool& isLegal) const {
  const int line = lineOf(*asked.source, asked.target);
  const std::string& file = asked.source->file();
  const auto proposals = ask(rewrite, asked);
  if (!proposals)
    return refusalText(file, line, rewrite, proposals.error());
  std::string text;
  for (const rewrite::Proposal& each : *proposals)
    if (options_.form.empty() || each.form == options_.form) {
      isLegal = true;
      text += fmt::format("{}:{}: {}{}{}\n{}", file, line, rewrite.name,
                          each.form.empty() ? "" : " ", each.form, diffOf(*asked.source, each));
    }
  return text;
}

/// Every form of a rewrite that is legal somewhere, each as a diff of its own, and the refusals.
Expected<Answer> Unproven::rewriteEverywhere() const {
  std::string all;
  bool anyIsLegal = false;
  for (const auto& [file, source] : sources_)
    for (const rewrite::Target& target : rewrite::allTargets(*source))
      for (const Rewrite* rewrite : rewrite::allRewrites())
        if (rewrite->ofKernel == !target.branch &&
            (options_.only.empty() || options_.only == rewrite->name))
          all += answerOf(*rewrite, {source.get(), target}, anyIsLegal);
  return Answer(all, "", anyIsLegal ? 0 : nothingLegal);
}

} // namespace

Expected<Answer> printUnproven(const FixOptions& options) {
  HEDDLE_TRY(const Unproven unproven, Unproven::read(options));
  return options.place.line == 0 ? unproven.rewriteEverywhere() : unproven.rewriteLine();
}

} // namespace heddle::driver
