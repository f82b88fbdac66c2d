// SPDX-License-Identifier: Apache-2.0
#include "driver/Places.h"

#include "driver/IncludedFiles.h"
#include "rewrite/code/TreeVisitor.h"
#include "support/Files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::KernelProfile;
using profile::ProgramProfile;

constexpr double leastBound = 1.03; ///< of the speedup, if a branch lost nothing any more
constexpr double leastIdiom = 0.05; ///< of a kernel's instructions: a guess
constexpr std::size_t mostPlaces = 8;

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::equivalent(a, b, error);
}

std::array<int, 3> commonBlock(const ProgramProfile& profile, const KernelProfile& kernel) {
  const std::size_t index = std::size_t(&kernel - profile.kernels.data());
  for (const profile::LaunchRecord& launch : profile.launches)
    if (launch.kernel == index && launch.block != kernel.block)
      return {0, 0, 0};
  return kernel.block;
}

rewrite::Measured measuredOf(const ProgramProfile& profile, const KernelProfile& kernel,
                             const machine::Device& device) {
  rewrite::Measured measured;
  measured.limits = device.limits;
  measured.multiprocessors = device.multiprocessors;
  measured.block = commonBlock(profile, kernel);
  if (kernel.launches > 0)
    measured.blocks = double(kernel.blocks) / double(kernel.launches);
  if (kernel.timing) {
    measured.registers = kernel.timing->registers.registers;
    measured.spills = kernel.timing->registers.spillBytes;
  }
  for (const profile::LoopProfile& loop : kernel.loops) {
    if (loop.lanes == 0)
      continue;
    rewrite::MeasuredLoop& here = measured.loops.emplace_back();
    here.trips = double(loop.iterations) / double(loop.lanes);
    here.counts = loop;
    here.lines.push_back(loop.site.where.line);
    for (const profile::SourceLocation& call : loop.site.inlinedAt)
      here.lines.push_back(call.line);
  }
  return measured;
}

/// The statement at a place; of an else-if chain the first one.
std::optional<rewrite::BranchStatement> branchAt(const rewrite::Source& source,
                                                 const profile::SourceLocation& where) {
  auto branch = rewrite::findBranch(source, where.line, where.column);
  if (!branch)
    return branch;
  const clang::Stmt* chain = rewrite::chainOf(*branch);
  return chain == branch->statement
             ? branch
             : rewrite::findBranch(source, source.lineOf(chain->getBeginLoc()),
                                   source.columnOf(chain->getBeginLoc()));
}

Place& placeAt(const rewrite::Source& source, clang::SourceLocation where,
               const KernelProfile& kernel, std::vector<Place>& places) {
  Place& place = places.emplace_back();
  place.kernel = &kernel;
  place.file = source.file();
  place.line = source.lineOf(where);
  place.column = source.columnOf(where);
  return place;
}

std::vector<double> sharesOf(const profile::BranchProfile& branch) {
  if (branch.laneExecutions() == 0)
    return {};
  const double all = double(branch.laneExecutions());
  return {double(branch.lanes[0]) / all, double(branch.lanes[1]) / all};
}

/// Whether a branch is the one at the column that was asked for.
bool isAtColumn(const rewrite::Source& source, const rewrite::BranchStatement& branch,
                const AskedPlace& asked) {
  if (asked.column == 0)
    return true;
  const auto meant = branchAt(source, {source.file(), asked.line, asked.column});
  return meant && meant->statement == branch.statement;
}

bool isKernelAt(const rewrite::Source& source, const clang::FunctionDecl& kernel,
                const AskedPlace& asked) {
  return asked.isLine(source.file(), source.lineOf(kernel.getLocation())) &&
         (asked.column == 0 || source.columnOf(kernel.getLocation()) == asked.column);
}

/// Of the kernel's instructions, those of a statement's lines.
double shareOfLines(const KernelProfile& kernel, const rewrite::Source& source,
                    const clang::Stmt& statement) {
  const int first = source.lineOf(statement.getBeginLoc());
  const int last = source.lineOf(statement.getEndLoc());
  std::uint64_t inside = 0;
  for (const profile::LineProfile& line : kernel.lines)
    if (first <= line.site.where.line && line.site.where.line <= last &&
        isSameFile(line.site.where.file, source.file()))
      inside += line.warpInstructions;
  return double(inside) / double(std::max<std::uint64_t>(kernel.warpInstructions, 1));
}

bool isIdiom(const rewrite::Source& source, const rewrite::Target& target) {
  return std::ranges::any_of(rewrite::allRewrites(), [&](const rewrite::Rewrite* rewrite) {
    return rewrite->ofIdiom && rewrite::ask(*rewrite, source, target);
  });
}

/// Functions that are called in a line and defined elsewhere than in its file.
class CallsElsewhere final : public rewrite::TreeVisitor {
public:
  CallsElsewhere(const rewrite::Source& source, int line) : source_(source), line_(line) {
    TraverseDecl(source.ast().getTranslationUnitDecl());
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && source_.isHere(call->getBeginLoc()) &&
        source_.lineOf(call->getBeginLoc()) == line_ && !source_.isHere(callee->getLocation()))
      names.insert(callee->getNameAsString());
    return true;
  }

  std::set<std::string> names;

private:
  const rewrite::Source& source_;
  int line_;
};

/// Why no statement was found for a loss.
std::string whyUnanswered(const Sources& sources, const profile::SourceLocation& where) {
  for (const auto& [file, source] : sources)
    if (isSameFile(file, where.file)) {
      const CallsElsewhere calls(*source, where.line);
      if (!calls.names.empty())
        return fmt::format("its lanes part in {}, which lies elsewhere and is left alone",
                           fmt::join(calls.names, " or "));
      return "no if, loop, switch or ?: is written there: a macro makes it, or an operator such as "
             "&&; write it out as an if, and it will be asked";
    }
  return "it lies outside the project's folder, and what lies there is left alone";
}

/// The branches of one kernel, worst first.
class BranchPlaces {
public:
  BranchPlaces(const KernelProfile& kernel, const rewrite::Measured& measured,
               const Sources& sources, const AskedPlace& asked, Places& places)
      : kernel_(kernel), measured_(measured), sources_(sources), asked_(asked), places_(places) {}

  void add() {
    for (const advise::Loss& loss : advise::lossesOf(kernel_)) {
      const bool isHere = asked_.line > 0 && asked_.isLine(loss.where.file, loss.where.line);
      const bool enough =
          asked_.line == 0 && advise::mostSpeedup(kernel_, loss.share) >= leastBound;
      if ((!isHere && !enough) || seen_.size() == mostPlaces)
        continue;
      if (!addOne(loss) && enough)
        places_.unanswered.push_back({kernel_.kernel, kernel_.id, loss.where.file, loss.where.line,
                                      loss.where.column, loss.share,
                                      whyUnanswered(sources_, loss.where)});
    }
  }

  /// Those that lose little, but cost enough, and that a rewrite knows.
  void addIdioms() {
    for (const auto& [file, source] : sources_)
      for (rewrite::Target& target : targetsOf(*source)) {
        target.measured = measured_;
        const clang::Stmt& statement = *target.branch->statement;
        const double share = shareOfLines(kernel_, *source, statement);
        if (seen_.contains(&statement) || share < leastIdiom || !isIdiom(*source, target))
          continue;
        seen_.insert(&statement);
        Place& place = placeAt(*source, statement.getBeginLoc(), kernel_, places_.all);
        place.target = std::move(target);
        place.idiom = share;
      }
  }

  /// How many other branches the kernel has, in itself and in what it calls.
  std::size_t others() const {
    std::size_t count = 0;
    for (const auto& [file, source] : sources_)
      count +=
          std::size_t(std::ranges::count_if(targetsOf(*source), [&](const rewrite::Target& target) {
            return !seen_.contains(target.branch->statement);
          }));
    return count;
  }

private:
  /// The kernel's branches that stand in a file.
  std::vector<rewrite::Target> targetsOf(const rewrite::Source& source) const {
    std::vector<rewrite::Target> targets = rewrite::allTargets(source);
    std::erase_if(targets, [&](const rewrite::Target& target) {
      const std::vector<std::string> symbols = target.kernel != nullptr
                                                   ? rewrite::symbolsOf(*target.kernel)
                                                   : std::vector<std::string>{};
      return !target.branch || std::ranges::find(symbols, kernel_.symbol()) == symbols.end();
    });
    return targets;
  }

  /// Whether there is a statement, new or known.
  bool addOne(const advise::Loss& loss) {
    for (const auto& [file, source] : sources_) {
      if (!isSameFile(file, loss.where.file))
        continue;
      const auto branch = branchAt(*source, loss.where);
      if (!branch)
        return false;
      if (!isAtColumn(*source, *branch, asked_) || !seen_.insert(branch->statement).second)
        return true;
      Place& place = placeAt(*source, branch->statement->getBeginLoc(), kernel_, places_.all);
      place.loss = loss;
      place.target = {rewrite::kernelOf(*source, *branch->function), branch, measured_};
      place.target.measured.shares = sharesOf(loss.sum);
      return true;
    }
    return false;
  }

  const KernelProfile& kernel_;
  const rewrite::Measured& measured_;
  const Sources& sources_;
  const AskedPlace& asked_;
  Places& places_;
  std::set<const clang::Stmt*> seen_;
};

} // namespace

bool AskedPlace::isLine(const std::string& path, int number) const {
  return line == 0 || (line == number && (file.empty() || isSameFile(file, path)));
}

advise::Candidate candidateOf(const rewrite::Rewrite& rewrite, const Place& place) {
  return {.rewrite = std::string(rewrite.name),
          .kernel = place.kernel->kernel,
          .kernelId = place.kernel->id,
          .file = place.file,
          .line = place.line,
          .column = place.column};
}

advise::Candidate refusedOf(const rewrite::Rewrite& rewrite, const Place& place,
                            const rewrite::Refusal& refusal) {
  advise::Candidate candidate = candidateOf(rewrite, place);
  candidate.id = refusal.kind->id;
  candidate.fits = refusal.kind->fit == rewrite::Fit::Meant;
  candidate.reason = refusal.reason;
  return candidate;
}

std::string whyNothingFits(const Place& place) {
  const clang::Stmt& statement = *place.target.branch->statement;
  const auto* const test = llvm::dyn_cast<clang::IfStmt>(&statement);
  const char* what = "lanes go different ways, and each waits while others go theirs";
  if (rewrite::isLoop(statement))
    what = "lanes leave the loop after different numbers of turns, and wait for the last one";
  else if (test != nullptr && test->getElse() == nullptr)
    what = "lanes that do not take it wait for those that do";
  return fmt::format("{}; none of the rewrites is for code like this", what);
}

bool losesEnough(const KernelProfile& kernel) {
  const std::vector<advise::Loss> losses = advise::lossesOf(kernel);
  return !losses.empty() && advise::mostSpeedup(kernel, losses.front().share) >= leastBound;
}

Expected<Sources> readSources(const frontend::ProgramSpec& program, bool useCache) {
  Sources sources;
  const fs::path project = projectFolder(program);
  for (const std::string& file : program.files) {
    if (!program.isCuda(file))
      continue;
    HEDDLE_TRY(std::string text, readFile(file));
    HEDDLE_TRY(std::unique_ptr<rewrite::Source> source,
               rewrite::Source::parse(file, std::move(text), program.flagsOf(file), useCache));
    for (std::unique_ptr<rewrite::Source>& header : source->included()) {
      const auto isKnown = [&](const auto& known) {
        return isSameFile(known.first, header->file());
      };
      if (isBelow(header->file(), project) && std::ranges::none_of(sources, isKnown))
        sources.emplace(header->file(), std::move(header));
    }
    sources[file] = std::move(source);
  }
  return sources;
}

Places findPlaces(const ProgramProfile& profile, const Sources& sources,
                  const machine::Device& device, const AskedPlace& asked) {
  Places places;
  for (const KernelProfile& kernel : profile.kernels) {
    const rewrite::Measured measured = measuredOf(profile, kernel, device);
    BranchPlaces branches(kernel, measured, sources, asked, places);
    branches.add();
    if (asked.line == 0)
      branches.addIdioms();
    places.cheap += asked.line == 0 ? branches.others() : 0;
    for (const auto& [file, source] : sources)
      if (const clang::FunctionDecl* found = rewrite::findKernel(*source, kernel.symbol())) {
        if (asked.line == 0 || isKernelAt(*source, *found, asked))
          placeAt(*source, found->getLocation(), kernel, places.all).target = {found, std::nullopt,
                                                                               measured};
      }
  }
  return places;
}

std::string columnsOf(const rewrite::Source& source, int line) {
  std::set<int> columns;
  for (const rewrite::BranchStatement& branch : rewrite::branchesOfLine(source, line))
    columns.insert(source.columnOf(branch.statement->getBeginLoc()));
  return fmt::format("{}", fmt::join(columns, ", "));
}

Expected<void> checkColumn(const Sources& sources, const AskedPlace& asked) {
  if (asked.column == 0)
    return {};
  std::string columns;
  for (const auto& [file, source] : sources) {
    if (!asked.isLine(file, asked.line))
      continue;
    const clang::FunctionDecl* kernel = rewrite::kernelAt(*source, asked.line);
    if (branchAt(*source, {file, asked.line, asked.column}) ||
        (kernel != nullptr && isKernelAt(*source, *kernel, asked)))
      return {};
    if (columns.empty())
      columns = columnsOf(*source, asked.line);
  }
  return fail(ErrorKind::NotFound, "--line {}:{}: no branch is there{}{}", asked.line, asked.column,
              columns.empty() ? "" : "; in that line branches begin at column ", columns);
}

} // namespace heddle::driver
