// SPDX-License-Identifier: Apache-2.0
//
// The beam search, step by step:
//   1. a state is how many decisions each lane has done, and for each path the lanes that want it
//   next
//   2. from every state of the beam, run each path that some lane wants
//   3. keep the best states: most decisions done, with extra weight on the least advanced lane
//   4. the first state with all lanes finished ends the search; its history is the schedule
#include "model/Headroom.h"

#include "model/DecisionStream.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace heddle::model {
namespace {

constexpr std::uint8_t finished = 0xff;

struct State {
  std::array<std::uint8_t, warpSize> done{};
  std::array<LaneMask, maxWays> wanting{};
  int score = 0;
  std::int32_t parent = -1; ///< index into the history
  std::uint8_t path = 0;
};

struct HistoryEntry {
  std::int32_t parent;
  std::uint8_t path;
};

class Search {
public:
  Search(const DecisionTable& decisions, int ways, int beam)
      : decisions_(decisions), ways_(ways), beam_(std::size_t(beam)) {}

  std::vector<std::uint8_t> run() {
    std::vector<State> states{start()};
    while (!isFinished(states.front()))
      states = nextBeam(states);
    return historyOf(states.front());
  }

private:
  /// The path a lane wants after `done` decisions, or `finished`.
  std::uint8_t wants(std::size_t lane, std::uint8_t done) const {
    return done < decisions_[lane].size() ? decisions_[lane][done] : finished;
  }

  State start() const {
    State state;
    for (std::size_t lane = 0; lane < decisions_.size(); ++lane)
      if (const std::uint8_t path = wants(lane, 0); path != finished)
        state.wanting[path] |= LaneMask{1} << lane;
    return state;
  }

  bool isFinished(const State& state) const {
    return std::ranges::all_of(state.wanting, [](LaneMask mask) { return mask == 0; });
  }

  State after(const State& state, std::uint8_t path) const {
    State next = state;
    next.path = path;
    next.wanting[path] = 0;
    for (LaneMask lanes = state.wanting[path]; lanes != 0; lanes &= lanes - 1) {
      const auto lane = std::size_t(std::countr_zero(lanes));
      const std::uint8_t wanted = wants(lane, ++next.done[lane]);
      if (wanted != finished)
        next.wanting[wanted] |= LaneMask{1} << lane;
    }
    next.score = scoreOf(next);
    return next;
  }

  /// Progress of all lanes, and more for the least advanced one, since the last lane ends the loop.
  /// Of the weights 0 to 32 tried on 100 iterations, 8 found the shortest schedules at most p.
  int scoreOf(const State& state) const {
    int sum = 0;
    std::uint8_t least = finished;
    for (std::size_t lane = 0; lane < decisions_.size(); ++lane) {
      sum += state.done[lane];
      least = std::min(least, state.done[lane]);
    }
    constexpr int leastWeight = 8;
    return sum + leastWeight * least;
  }

  std::vector<State> nextBeam(const std::vector<State>& states) {
    std::vector<State> grown;
    for (const State& state : states) {
      const auto entry = static_cast<std::int32_t>(history_.size());
      history_.push_back({state.parent, state.path});
      for (int path = 0; path < ways_; ++path)
        if (state.wanting[std::size_t(path)] != 0) {
          grown.push_back(after(state, static_cast<std::uint8_t>(path)));
          grown.back().parent = entry;
        }
    }
    // By score; equal ones in the order they were made, so that every run keeps the same.
    std::vector<std::size_t> order(grown.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-grown[i].score, i); });
    return firstDistinct(grown, order);
  }

  /// The best states, each set of lane positions once.
  std::vector<State> firstDistinct(const std::vector<State>& grown,
                                   const std::vector<std::size_t>& order) const {
    std::vector<State> kept;
    std::unordered_set<std::string_view> seen;
    for (const std::size_t index : order) {
      const State& state = grown[index];
      if (kept.size() == beam_)
        break;
      const std::string_view key(reinterpret_cast<const char*>(state.done.data()), warpSize);
      if (seen.insert(key).second)
        kept.push_back(state);
    }
    return kept;
  }

  std::vector<std::uint8_t> historyOf(const State& last) const {
    std::vector<std::uint8_t> paths;
    if (last.parent < 0)
      return paths;
    paths.push_back(last.path);
    for (HistoryEntry entry = history_[std::size_t(last.parent)]; entry.parent >= 0;
         entry = history_[std::size_t(entry.parent)])
      paths.push_back(entry.path);
    std::ranges::reverse(paths);
    return paths;
  }

  const DecisionTable& decisions_;
  int ways_;
  std::size_t beam_;
  std::vector<HistoryEntry> history_;
};

int letterLimit(const DecisionTable& decisions, int ways) {
  int limit = 0;
  for (int path = 0; path < ways; ++path) {
    std::ptrdiff_t most = 0;
    for (const auto& lane : decisions)
      most = std::max(most, std::ranges::count(lane, std::uint8_t(path)));
    limit += static_cast<int>(most);
  }
  return limit;
}

template <int Ways> DecisionTable drawTable(const HeadroomRequest& request, std::uint32_t warp) {
  DecisionStream<Ways> stream(request.branching.probabilities(), request.seed, warp);
  DecisionTable table(warpSize);
  for (int iteration = 0; iteration < request.iterations; ++iteration) {
    const PathMasks<Ways> masks = stream.next();
    for (std::size_t lane = 0; lane < warpSize; ++lane)
      for (std::size_t path = 0; path < Ways; ++path)
        if ((masks[path] >> lane & 1) != 0)
          table[lane].push_back(static_cast<std::uint8_t>(path));
  }
  return table;
}

using TableMaker = DecisionTable (*)(const HeadroomRequest&, std::uint32_t);
constexpr TableMaker tableMakers[] = {drawTable<2>, drawTable<3>, drawTable<4>, drawTable<5>,
                                      drawTable<6>, drawTable<7>, drawTable<8>};

} // namespace

Supersequence shortSupersequence(const DecisionTable& decisions, int ways, int beam) {
  assert(decisions.size() <= std::size_t{warpSize} && "one warp at a time");
  return {Search(decisions, ways, beam).run(), letterLimit(decisions, ways)};
}

Expected<void> validateHeadroom(const HeadroomRequest& request) {
  if (!request.branching.equalCosts())
    return fail(ErrorKind::BadInput, "the headroom search needs paths of equal cost");
  if (request.iterations < 1 || request.iterations > headroomMostIterations)
    return fail(ErrorKind::BadInput, "headroom for {} iterations: expected 1 to {}",
                request.iterations, headroomMostIterations);
  if (request.beam < 1 || request.beam > 100'000)
    return fail(ErrorKind::BadInput, "a beam of {}: expected 1 to 100000", request.beam);
  return {};
}

Headroom findHeadroom(const HeadroomRequest& request, Progress& progress) {
  assert(validateHeadroom(request) && "the caller validates");
  const TableMaker draw = tableMakers[request.branching.ways() - 2];
  const auto warps = std::size_t(request.warps);
  std::vector<double> found(warps), limit(warps);
  tbb::parallel_for(std::size_t{0}, warps, [&](std::size_t warp) {
    const DecisionTable table = draw(request, static_cast<std::uint32_t>(warp));
    const Supersequence schedule =
        shortSupersequence(table, request.branching.ways(), request.beam);
    found[warp] = double(request.iterations) / double(schedule.paths.size());
    limit[warp] = double(request.iterations) / schedule.limit;
    progress.advance(1);
  });
  return {summarize(found), summarize(limit)};
}

} // namespace heddle::model
