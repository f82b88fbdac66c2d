// SPDX-License-Identifier: Apache-2.0
#include "launch/Calibration.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heddle::launch {
namespace {

/// A number of one block, by the engine and by machine code.
struct Pair {
  double engine = 0, machine = 0;
};

/// The sum over a grid of what machine code counts in some of its blocks: by how it differs from
/// the engine's number, which is known of all, or by the mean, whichever tells single blocks
/// better.
double estimate(const std::vector<Pair>& pairs, double engineSum, std::uint64_t blocks) {
  double engine = 0, machine = 0;
  for (const Pair& pair : pairs) {
    engine += pair.engine;
    machine += pair.machine;
  }
  if (pairs.size() == blocks)
    return machine;
  const double mean = machine / double(pairs.size());
  if (engine == 0)
    return mean * double(blocks);
  double byRatio = 0, byMean = 0;
  for (const Pair& pair : pairs) {
    byRatio += std::pow(pair.machine - pair.engine * machine / engine, 2);
    byMean += std::pow(pair.machine - mean, 2);
  }
  return byRatio <= byMean ? engineSum * machine / engine : mean * double(blocks);
}

/// Sums of a grid.
struct Sums {
  double executions = 0, lanes = 0, on = 0;
};

/// Nothing where the engine did not run a block of the sample.
std::optional<Sums> sumsOf(const sassrun::SampleRun& sample, const engine::LaunchOutcome& outcome) {
  if (sample.isWhole()) {
    const sassrun::InstructionCounts& all = sample.blocks().begin()->second;
    return Sums{double(all.executions), double(all.lanes), double(all.on)};
  }
  std::vector<Pair> warps, lanes, on;
  for (const auto& [block, machine] : sample.blocks()) {
    const auto engine = outcome.sampled.find(block);
    if (engine == outcome.sampled.end())
      return {};
    warps.push_back({double(engine->second.ofWarps), double(machine.executions)});
    lanes.push_back({double(engine->second.ofLanes), double(machine.lanes)});
    on.push_back({double(engine->second.ofLanes), double(machine.on)});
  }
  const profile::KernelProfile& profile = outcome.profile;
  const auto warpSum = double(profile.warpInstructions),
             laneSum = double(profile.threadInstructions);
  return Sums{estimate(warps, warpSum, profile.blocks), estimate(lanes, laneSum, profile.blocks),
              estimate(on, laneSum, profile.blocks)};
}

/// What one line of the PTX became.
struct PtxLine {
  double executions = 0, lanes = 0;
  double mostLanes = 0; ///< on average, of one of its instructions
};

/// Lane slots that lanes lose inside of what a division, a root or an atomic became: where less of
/// them are active than in that of its instructions which has most. What ptxas calls for such a
/// line has no line itself; it is held against the mean of those.
double lostInside(const sassrun::SampleRun& sample, const ptx::SourceLines& source) {
  std::map<std::uint32_t, PtxLine> sequences;
  const std::vector<sassrun::Instruction>& code = sample.program().code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    const sassrun::InstructionCounts& counts = sample.counts()[i];
    if (counts.executions == 0 || (code[i].line != 0 && !source.isSequence(code[i].line)))
      continue;
    PtxLine& line = sequences[code[i].line];
    line.executions += double(counts.executions);
    line.lanes += double(counts.lanes);
    line.mostLanes = std::max(line.mostLanes, double(counts.lanes) / double(counts.executions));
  }
  double lost = 0, whole = 0, executions = 0;
  for (const auto& [number, line] : sequences) {
    if (number == 0)
      continue;
    lost += line.mostLanes * line.executions - line.lanes;
    whole += line.mostLanes * line.executions;
    executions += line.executions;
  }
  if (const auto called = sequences.find(0); called != sequences.end() && executions > 0)
    lost += std::max(0.0, whole / executions * called->second.executions - called->second.lanes);
  return lost;
}

std::vector<Calibration::Line> linesOf(const sassrun::SampleRun& sample,
                                       const ptx::SourceLines& source) {
  std::map<ptx::SourceLine, Calibration::Line> lines;
  Calibration::Line sum;
  const std::vector<sassrun::Instruction>& code = sample.program().code();
  const ptx::SourceLine* last = nullptr; // what has no line belongs to what stands before it
  for (std::size_t i = 0; i < code.size(); ++i) {
    const sassrun::InstructionCounts& counts = sample.counts()[i];
    if (const ptx::SourceLine* found = source.at(code[i].line))
      last = found;
    if (counts.executions == 0 || last == nullptr)
      continue;
    for (Calibration::Line* to : {&lines[*last], &sum}) {
      to->executions += double(counts.executions);
      to->lanes += double(counts.lanes);
      to->off += double(counts.lanes - counts.on);
    }
  }
  std::vector<Calibration::Line> shares;
  const auto shareOf = [](double part, double all) { return all == 0 ? 0 : part / all; };
  for (const auto& [place, line] : lines)
    shares.push_back({place, shareOf(line.executions, sum.executions),
                      shareOf(line.lanes, sum.lanes), shareOf(line.off, line.lanes)});
  return shares;
}

std::uint64_t rounded(double value) {
  return std::uint64_t(std::llround(std::max(value, 0.0)));
}

/// Multiplies all parts so that they sum up to a number; the largest takes what rounding leaves.
void scaleTo(const std::vector<std::uint64_t*>& parts, std::uint64_t sum) {
  double before = 0;
  for (const std::uint64_t* part : parts)
    before += double(*part);
  std::uint64_t left = sum;
  for (std::uint64_t* part : parts) {
    *part = before == 0 ? 0 : std::min(left, std::uint64_t(double(*part) * (double(sum) / before)));
    left -= *part;
  }
  **std::ranges::max_element(parts, {}, [](const std::uint64_t* part) { return *part; }) += left;
}

/// Parts of a sum by their shares.
void shareOut(std::vector<profile::LineProfile>& lines, std::uint64_t profile::LineCounts::* member,
              std::uint64_t sum) {
  std::vector<std::uint64_t*> parts;
  for (profile::LineProfile& line : lines)
    parts.push_back(&(line.*member));
  scaleTo(parts, sum);
}

constexpr double fineness = 1LL << 40; ///< shares as whole numbers

/// Lines get their shares of what was executed. What predicates switched off of a line is at most
/// what it used, and the kernel's sum is that of its lines.
void applyToLines(const Calibration& calibration, profile::KernelProfile& profile) {
  profile.lines.clear();
  double offBefore = 0;
  for (const Calibration::Line& line : calibration.lines) {
    profile::LineProfile& made = profile.lines.emplace_back();
    made.site.where = {line.place.file, line.place.line, 0};
    made.warpInstructions = rounded(line.executions * fineness);
    made.used = rounded(line.lanes * fineness);
    offBefore += line.lanes * line.off;
  }
  if (profile.lines.empty())
    return;
  shareOut(profile.lines, &profile::LineCounts::warpInstructions, profile.warpInstructions);
  shareOut(profile.lines, &profile::LineCounts::used, profile.threadInstructions);
  const double share = double(*profile.switchedOff) / double(profile.threadInstructions);
  const double more = offBefore == 0 ? 0 : share / offBefore;
  profile.switchedOff = 0;
  for (std::size_t i = 0; i < profile.lines.size(); ++i) {
    profile::LineProfile& line = profile.lines[i];
    line.switchedOff =
        std::min(rounded(double(line.used) * calibration.lines[i].off * more), line.used);
    *profile.switchedOff += line.switchedOff;
  }
}

/// Lost slots to their owners: lanes without a thread and those inside of sequences are known, the
/// others lose in proportion to what the engine found.
void applyToOwners(const Calibration& calibration, profile::KernelProfile& profile) {
  std::uint64_t lost = profile.slots() - profile.threadInstructions;
  profile.lostToPartial =
      std::min(rounded(double(profile.lostToPartial) * calibration.executions), lost);
  lost -= profile.lostToPartial;
  profile.lostToSequences =
      std::min(rounded(calibration.inside * double(profile.warpInstructions)), lost);
  lost -= profile.lostToSequences;
  std::vector<std::uint64_t*> owners = {&profile.lostToFinished};
  for (profile::BranchProfile& branch : profile.branches) {
    owners.push_back(&branch.lostSlots);
    for (std::uint64_t& instructions : branch.pathInstructions)
      instructions = rounded(double(instructions) * calibration.executions);
  }
  if (std::ranges::all_of(owners, [](const std::uint64_t* owner) { return *owner == 0; }))
    profile.lostToSequences += lost; // nothing of the source parts lanes
  else
    scaleTo(owners, lost);
}

} // namespace

std::optional<Calibration> calibrationOf(const sassrun::SampleRun& sample,
                                         const engine::LaunchOutcome& outcome,
                                         const ptx::SourceLines& source) {
  if (!sample.failure().empty() || sample.blocks().empty())
    return {};
  const auto sums = sumsOf(sample, outcome);
  const profile::KernelProfile& profile = outcome.profile;
  if (!sums || profile.warpInstructions == 0 || profile.threadInstructions == 0)
    return {};
  double executed = 0;
  for (const auto& [block, sum] : sample.blocks())
    executed += double(sum.executions);
  return Calibration{.executions = sums->executions / double(profile.warpInstructions),
                     .lanes = sums->lanes / double(profile.threadInstructions),
                     .on = sums->on / double(profile.threadInstructions),
                     .inside = executed == 0 ? 0 : lostInside(sample, source) / executed,
                     .lines = linesOf(sample, source)};
}

void apply(const Calibration& calibration, profile::KernelProfile& profile) {
  const auto lanes = double(profile.threadInstructions);
  profile.warpInstructions = rounded(double(profile.warpInstructions) * calibration.executions);
  profile.threadInstructions = std::min(rounded(lanes * calibration.lanes), profile.slots());
  profile.switchedOff = profile.threadInstructions -
                        std::min(rounded(lanes * calibration.on), profile.threadInstructions);
  applyToOwners(calibration, profile);
  applyToLines(calibration, profile);
}

} // namespace heddle::launch
