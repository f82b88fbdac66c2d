// SPDX-License-Identifier: Apache-2.0
#include "driver/Places.h"

#include "support/Files.h"

#include <filesystem>
#include <set>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using profile::KernelProfile;
using profile::ProgramProfile;

constexpr double leastBound = 1.03; ///< of the speedup, if a branch lost nothing any more
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
                             const machine::SmLimits& limits) {
  rewrite::Measured measured;
  measured.limits = limits;
  measured.block = commonBlock(profile, kernel);
  if (kernel.timing) {
    measured.registers = kernel.timing->registers.registers;
    measured.spills = kernel.timing->registers.spillBytes;
  }
  for (const profile::LoopProfile& loop : kernel.loops) {
    if (loop.lanes == 0)
      continue;
    rewrite::MeasuredLoop& here = measured.loops.emplace_back();
    here.trips = double(loop.iterations) / double(loop.lanes);
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
  return source.lineOf(kernel.getLocation()) == asked.line &&
         (asked.column == 0 || source.columnOf(kernel.getLocation()) == asked.column);
}

void addBranches(const KernelProfile& kernel, const rewrite::Measured& measured,
                 const Sources& sources, const AskedPlace& asked, std::vector<Place>& places) {
  std::set<const clang::Stmt*> seen;
  for (const advise::Loss& loss : advise::lossesOf(kernel)) {
    const bool isHere = asked.line > 0 && loss.where.line == asked.line;
    const bool enough = asked.line == 0 && advise::mostSpeedup(kernel, loss.share) >= leastBound;
    if ((!isHere && !enough) || seen.size() == mostPlaces)
      continue;
    for (const auto& [file, source] : sources) {
      if (!isSameFile(file, loss.where.file))
        continue;
      const auto branch = branchAt(*source, loss.where);
      if (!branch || !isAtColumn(*source, *branch, asked) || !seen.insert(branch->statement).second)
        continue;
      Place& place = placeAt(*source, branch->statement->getBeginLoc(), kernel, places);
      place.loss = loss;
      place.target = {rewrite::kernelOf(*source, *branch->function), branch, measured};
      place.target.measured.shares = sharesOf(loss.sum);
    }
  }
}

} // namespace

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

bool losesEnough(const KernelProfile& kernel) {
  const std::vector<advise::Loss> losses = advise::lossesOf(kernel);
  return !losses.empty() && advise::mostSpeedup(kernel, losses.front().share) >= leastBound;
}

Expected<Sources> readSources(const std::vector<std::string>& files,
                              const frontend::CompilerFlags& flags, bool useCache) {
  Sources sources;
  for (const std::string& file : files) {
    if (fs::path(file).extension() != ".cu" && flags.language != "cu")
      continue;
    HEDDLE_TRY(std::string text, readFile(file));
    HEDDLE_TRY(sources[file], rewrite::Source::parse(file, std::move(text), flags, useCache));
  }
  return sources;
}

std::vector<Place> findPlaces(const ProgramProfile& profile, const Sources& sources,
                              const machine::SmLimits& limits, const AskedPlace& asked) {
  std::vector<Place> places;
  for (const KernelProfile& kernel : profile.kernels) {
    const rewrite::Measured measured = measuredOf(profile, kernel, limits);
    addBranches(kernel, measured, sources, asked, places);
    for (const auto& [file, source] : sources)
      if (const clang::FunctionDecl* found = rewrite::findKernel(*source, kernel.symbol())) {
        if (asked.line == 0 || isKernelAt(*source, *found, asked))
          placeAt(*source, found->getLocation(), kernel, places).target = {found, std::nullopt,
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
