// SPDX-License-Identifier: Apache-2.0
#include "tune/Pruning.h"

#include "machine/ResidentBlocks.h"
#include "model/Simulation.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <numeric>

namespace heddle::tune {
namespace {

using profile::Bound;

/// Of the warps that some size of block would have: with fewer, latencies show.
constexpr double fewWaiting = 0.6, fewBusy = 0.3;
constexpr double busyEnough = 0.5;  ///< occupancy from which a kernel bound by issue gains nothing
constexpr double spillsAway = 0.55; ///< of the registers: with fewer it spills more than it gains
constexpr double usesAll = 0.9;     ///< of the registers that cost nothing
constexpr double worthMore = 1.15;  ///< times the registers it has: else the code stays as it is
constexpr double costly = 1.25;     ///< times the cheapest policy's steps

int threadsIn(const profile::Extent& block) {
  return static_cast<int>(profile::threadsOf(block));
}

machine::Occupancy occupancyOf(const KernelFacts& kernel, int threads, int registers) {
  return machine::computeOccupancy(
      kernel.limits, {.threads = threads, .registers = registers, .shared = kernel.shared});
}

/// The best that any size of block reaches with these registers.
double bestOccupancy(const KernelFacts& kernel, int registers) {
  double best = 0;
  for (int threads = warpSize; threads <= kernel.limits.threadsPerBlock; threads += warpSize)
    best = std::max(best, occupancyOf(kernel, threads, registers).occupancy);
  return best;
}

/// Bounds that leave a compiler more registers than it took: it takes as many as let all warps in,
/// and more where it knows that they will not come.
std::optional<Ruling> pruneLooseBounds(const KernelFacts& kernel, int most, const Outcome& best) {
  const int free = machine::freeRegisters(kernel.limits);
  if (best.registers < usesAll * free)
    return Ruling{"occupancy",
                  fmt::format("{} registers, where {} cost no warps: it has no use for "
                              "more",
                              best.registers, free)};
  if (most < worthMore * best.registers)
    return Ruling{"occupancy", fmt::format("{} registers at most, and it has {} as it is", most,
                                           best.registers)};
  return std::nullopt;
}

std::optional<Ruling> pruneBounds(const KernelFacts& kernel, int threads, int bounds,
                                  const Outcome& best) {
  const int most = machine::mostRegisters(kernel.limits, threads, bounds, 0);
  if (best.registers == 0)
    return std::nullopt;
  if (best.registers <= most)
    return pruneLooseBounds(kernel, most, best);
  if (bounds > occupancyOf(kernel, threads, 1).activeBlocks)
    return Ruling{"occupancy",
                  fmt::format("{} blocks of {} threads never fit together", bounds, threads)};
  if (kernel.bound == Bound::Issue && best.occupancy >= busyEnough)
    return Ruling{"occupancy", fmt::format("bound by issue at an occupancy of {:.0f} %: more warps "
                                           "find nothing to do",
                                           100 * best.occupancy)};
  if (most < spillsAway * best.registers)
    return Ruling{"occupancy", fmt::format("{} of {} registers would be left: it would spill", most,
                                           best.registers)};
  return std::nullopt;
}

/// A policy of the device library in the model's words.
struct ModelledPolicy {
  model::Policy policy = model::Policy::Aging;
  std::optional<model::Word> word{};
  double turn = 0; ///< instructions, as cuda/include/heddle/schedule.cuh says
};

std::optional<ModelledPolicy> modelledPolicy(const std::string& text,
                                             const model::Branching& branching) {
  if (text == "alternating")
    return ModelledPolicy{.policy = model::Policy::Alternating, .turn = 12};
  if (text == "frequency")
    return ModelledPolicy{.policy = model::Policy::Frequency, .turn = 20};
  if (text == "laggard")
    return ModelledPolicy{.policy = model::Policy::Laggard, .turn = 30};
  if (text == "aging")
    return ModelledPolicy{.policy = model::Policy::Aging, .turn = 22};
  if (!text.starts_with("word<") && !text.starts_with("fixed<"))
    return std::nullopt;
  std::string letters;
  for (const char letter : text)
    if (letter >= '0' && letter <= '9')
      letters += char('A' + (letter - '0'));
  auto word = model::Word::parse(letters, branching);
  if (!word)
    return std::nullopt;
  return ModelledPolicy{.policy = model::Policy::Fixed,
                        .word = *std::move(word),
                        .turn = text.starts_with("word<") ? 8.0 : 14.0};
}

} // namespace

std::optional<Ruling> pruneByOccupancy(const KernelFacts& kernel, const Space& space,
                                       const Point& point, const Attempt& best) {
  const Outcome& known = best.outcome;
  const int threads = threadsIn(space.blockOf(point));
  const Configuration configuration = space.configurationOf(point);
  if (configuration.bounds > 0)
    return pruneBounds(kernel, threads, configuration.bounds, known);
  const int registers = best.configuration.bounds > 0 ? 0 : known.registers;
  const machine::Occupancy occupancy = occupancyOf(kernel, threads, registers);
  if (occupancy.activeBlocks == 0)
    return Ruling{"occupancy", fmt::format("a block of {} threads with {} registers each does not "
                                           "fit on a multiprocessor",
                                           threads, registers)};
  const double attainable = bestOccupancy(kernel, registers);
  const double least = (kernel.bound == Bound::Issue ? fewBusy : fewWaiting) * attainable;
  // Few threads never fill the GPU: how they are spread counts, not how many would fit.
  const bool fills = kernel.threads >= std::uint64_t(kernel.multiprocessors) *
                                           std::uint64_t(kernel.limits.warps) * warpSize / 2;
  if (fills && occupancy.occupancy < least)
    return Ruling{"occupancy",
                  fmt::format("{:.0f} % of the warps at once, where other sizes have {:.0f} %",
                              100 * occupancy.occupancy, 100 * attainable)};
  return std::nullopt;
}

double PayoffPruning::costOf(const LoopFacts& loop, const std::string& policy) {
  const auto branching = model::Branching::make(loop.shares, loop.lengths);
  if (!branching)
    return 0;
  const auto modelled = modelledPolicy(policy, *branching);
  if (!modelled)
    return 0;
  model::SimulationRequest request{.branching = *branching,
                                   .policy = modelled->policy,
                                   .word = modelled->word,
                                   .iterations = 200,
                                   .warps = 100};
  if (!model::validateSimulation(request))
    return 0;
  Progress silent;
  const model::SimulationResult result = model::simulate(request, silent);
  double cost = 0;
  for (std::size_t way = 0; way < loop.lengths.size(); ++way)
    cost += result.stepsOfPath[way] * (loop.lengths[way] + modelled->turn);
  return cost;
}

std::optional<Ruling> PayoffPruning::operator()(const Space& space, const Point& point) {
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const Parameter& parameter = space.parameters[i];
    const auto loop = loops_.find(parameter.name);
    if (parameter.kind != ParameterKind::Policy || point[i] == 0 || loop == loops_.end())
      continue;
    double cheapest = 0;
    std::string whose;
    for (const std::string& policy : parameter.values) {
      const auto [known, isNew] = known_.try_emplace(parameter.name + " " + policy, 0);
      if (isNew)
        known->second = costOf(loop->second, policy);
      if (known->second > 0 && (cheapest == 0 || known->second < cheapest)) {
        cheapest = known->second;
        whose = policy;
      }
    }
    const std::string& policy = parameter.values[point[i]];
    const double cost = known_[parameter.name + " " + policy];
    if (cost > costly * cheapest)
      return Ruling{"payoff", fmt::format("{:.2f} times the steps of {} at a share of {:.0f} %",
                                          cost / cheapest, whose, 100 * loop->second.shares[0])};
  }
  return std::nullopt;
}

} // namespace heddle::tune
