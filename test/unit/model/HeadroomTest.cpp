// SPDX-License-Identifier: Apache-2.0
#include "model/Headroom.h"

#include "ModelFixture.h"
#include "model/Simulation.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace heddle::model {
namespace {

DecisionTable randomTable(int lanes, int length, int ways, unsigned seed) {
  std::mt19937 random(seed);
  DecisionTable table(static_cast<std::size_t>(lanes));
  for (auto& lane : table)
    for (int i = 0; i < length; ++i)
      lane.push_back(static_cast<std::uint8_t>(random() % unsigned(ways)));
  return table;
}

bool serves(const std::vector<std::uint8_t>& schedule, const std::vector<std::uint8_t>& lane) {
  std::size_t done = 0;
  for (const std::uint8_t path : schedule)
    if (done < lane.size() && lane[done] == path)
      ++done;
  return done == lane.size();
}

/// Shortest schedule by breadth-first search over all positions: small tables only.
std::size_t shortest(const DecisionTable& table, int ways) {
  std::set<std::vector<std::size_t>> level = {std::vector<std::size_t>(table.size(), 0)};
  for (std::size_t steps = 0;; ++steps) {
    std::set<std::vector<std::size_t>> next;
    for (const auto& state : level) {
      bool finished = true;
      for (std::size_t lane = 0; lane < table.size(); ++lane)
        finished = finished && state[lane] == table[lane].size();
      if (finished)
        return steps;
      for (int path = 0; path < ways; ++path) {
        auto moved = state;
        for (std::size_t lane = 0; lane < table.size(); ++lane)
          if (state[lane] < table[lane].size() && table[lane][state[lane]] == path)
            ++moved[lane];
        next.insert(moved);
      }
    }
    level = std::move(next);
  }
}

TEST(Headroom, SchedulesServeEveryLaneAndRespectTheLimit) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const DecisionTable table = randomTable(32, 60, 3, seed);
    const Supersequence found = shortSupersequence(table, 3, 50);
    for (const auto& lane : table)
      EXPECT_TRUE(serves(found.paths, lane));
    EXPECT_GE(static_cast<int>(found.paths.size()), found.limit);
  }
}

TEST(Headroom, FindsTheShortestScheduleOfSmallTables) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const DecisionTable table = randomTable(4, 8, 2, seed);
    const std::size_t best = shortest(table, 2);
    const Supersequence found = shortSupersequence(table, 2, 1000);
    EXPECT_EQ(found.paths.size(), best) << seed;
    EXPECT_LE(found.limit, static_cast<int>(best)) << seed;
  }
}

TEST(Headroom, NoPolicyBeatsTheOracle) {
  const Branching branching = *Branching::twoWay(0.1);
  const Headroom headroom = findHeadroom({branching, 100, 20, 1, 300}, quiet);
  SimulationRequest request{.branching = branching, .policy = Policy::Aging};
  request.iterations = 100;
  request.warps = 500;
  const double aging = simulate(request, quiet).efficiency.mean;
  EXPECT_GT(headroom.found.mean, aging + 0.02);
  EXPECT_GT(headroom.limit.mean, headroom.found.mean);
}

TEST(Headroom, AWiderBeamIsNotWorse) {
  const Branching branching = *Branching::twoWay(0.25);
  const double narrow = findHeadroom({branching, 60, 10, 1, 2}, quiet).found.mean;
  const double wide = findHeadroom({branching, 60, 10, 1, 300}, quiet).found.mean;
  EXPECT_GT(wide, narrow);
}

TEST(Headroom, RefusesWhatItCannotSearch) {
  const Branching unequal = *Branching::make({0.5, 0.5}, {1, 2});
  EXPECT_EQ(validateHeadroom({unequal, 100, 1, 1, 10}).error().message,
            "the headroom search needs paths of equal cost");
  EXPECT_EQ(validateHeadroom({*Branching::twoWay(0.5), 1000, 1, 1, 10}).error().message,
            "headroom for 1000 iterations: expected 1 to 255");
  EXPECT_FALSE(validateHeadroom({*Branching::twoWay(0.5), 10, 1, 1, 0}));
}

} // namespace
} // namespace heddle::model
