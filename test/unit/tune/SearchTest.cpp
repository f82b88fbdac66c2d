// SPDX-License-Identifier: Apache-2.0
#include "tune/Search.h"

#include <gtest/gtest.h>

namespace heddle::tune {
namespace {

/// Blocks, a factor and bounds, whose times are a formula.
Space makeSpace() {
  Space space;
  space.ownBlock = {256, 1, 1};
  space.parameters = {{ParameterKind::Unroll, "unroll:5", {"", "1", "2", "4"}},
                      {ParameterKind::Block, "block", {"256", "64", "128", "512"}},
                      {ParameterKind::Resident, "resident", {"0", "512", "1024"}}};
  return space;
}

/// Best at 64 threads with a factor of 4, a tenth slower for each step away.
double timeOf(const Configuration& configuration) {
  const int threads = configuration.hasBlock() ? configuration.block[0] : 256;
  const auto unroll = configuration.values.find("unroll:5");
  double time = 1 + 0.1 * std::abs(std::log2(threads / 64.0));
  time += unroll == configuration.values.end() ? 0.2 : unroll->second == "4" ? 0.0 : 0.1;
  return time + 0.3 * configuration.bounds;
}

struct Counted {
  SearchHooks hooks;
  int timed = 0, proven = 0;
  std::string differs; ///< the key whose results do
};

void fill(Counted& counted) {
  counted.hooks.measure = [&counted](const Configuration& configuration) -> Expected<Outcome> {
    ++counted.timed;
    Outcome outcome;
    outcome.seconds = timeOf(configuration);
    outcome.block = configuration.hasBlock() ? configuration.block : profile::Extent{256, 1, 1};
    return outcome;
  };
  counted.hooks.prove = [&counted](const Configuration& configuration) -> Expected<std::string> {
    ++counted.proven;
    return configuration.key() == counted.differs ? std::string("results differ") : std::string();
  };
  counted.hooks.prune = [](const Space& space, const Point& point,
                           const Attempt&) -> std::optional<Ruling> {
    if (space.residentOf(point) > 0)
      return Ruling{"occupancy", "nothing to gain"};
    return std::nullopt;
  };
}

TEST(TuneSearch, FindsWhatAnExhaustiveSearchFindsWithFewerRuns) {
  Counted some, all;
  fill(some);
  fill(all);
  const SearchResult found = search(makeSpace(), some.hooks, false).value();
  const SearchResult every = search(makeSpace(), all.hooks, true).value();
  EXPECT_EQ(found.winner().configuration.key(), "block=64 unroll:5=4");
  EXPECT_EQ(every.winner().configuration, found.winner().configuration);
  // 4 factors, 4 blocks, and bounds of 512 / 512, 1024 / 512, ... for 4 blocks of threads
  EXPECT_EQ(every.count(Verdict::Timed), 48U);
  EXPECT_EQ(every.points, 48U);
  EXPECT_LE(some.timed, 12);
  EXPECT_EQ(found.count(Verdict::Pruned), 2U);
  EXPECT_NEAR(found.gain(), 1.4, 1e-9);
}

TEST(TuneSearch, WhatChangesResultsIsNeverTheBest) {
  Counted counted;
  fill(counted);
  counted.differs = "block=64 unroll:5=4";
  const SearchResult found = search(makeSpace(), counted.hooks, true).value();
  EXPECT_NE(found.winner().configuration.key(), counted.differs);
  EXPECT_EQ(found.count(Verdict::Failed), 1U);
  EXPECT_TRUE(found.winner().proven);
}

TEST(TuneSearch, OfEquallyFastOnesTheOneThatChangesLeastIsTaken) {
  Counted counted;
  fill(counted);
  counted.hooks.measure = [](const Configuration& configuration) -> Expected<Outcome> {
    Outcome outcome;
    outcome.seconds = configuration.key().empty() ? 2 : configuration.values.empty() ? 1.005 : 1;
    outcome.block = configuration.hasBlock() ? configuration.block : profile::Extent{256, 1, 1};
    return outcome;
  };
  const SearchResult found = search(makeSpace(), counted.hooks, true).value();
  EXPECT_EQ(found.winner().outcome.seconds, 1);
  EXPECT_EQ(found.winner().configuration.key(), "unroll:5=1") << "no block besides";
}

TEST(TuneSearch, OfThoseThatChangeAsLittleTheFastestIsTaken) {
  Counted counted;
  fill(counted);
  counted.hooks.measure = [](const Configuration& configuration) -> Expected<Outcome> {
    Outcome outcome;
    outcome.block = configuration.hasBlock() ? configuration.block : profile::Extent{256, 1, 1};
    outcome.seconds = !configuration.hasBlock() ? 2 : outcome.block[0] == 128 ? 1.002 : 1.006;
    if (outcome.block[0] == 512 && !configuration.values.empty())
      outcome.seconds = 1;
    return outcome;
  };
  const SearchResult found = search(makeSpace(), counted.hooks, true).value();
  EXPECT_EQ(found.winner().configuration.key(), "block=128") << "block=64 was tried before";
}

/// The factor pays as long as blocks are large, and is found first.
TEST(TuneSearch, AChangeThatGainsNothingInTheEndIsTakenBack) {
  Counted counted;
  fill(counted);
  counted.hooks.measure = [](const Configuration& configuration) -> Expected<Outcome> {
    Outcome outcome;
    outcome.block = configuration.hasBlock() ? configuration.block : profile::Extent{256, 1, 1};
    const bool isUnrolled = !configuration.values.empty();
    outcome.seconds = outcome.block[0] == 64 ? (isUnrolled ? 1 : 1.004) : isUnrolled ? 2 : 3;
    return outcome;
  };
  const SearchResult found = search(makeSpace(), counted.hooks, false).value();
  EXPECT_EQ(found.winner().configuration.key(), "block=64");
}

TEST(TuneSearch, AProgramThatFailsAsItIsIsAnError) {
  Counted counted;
  fill(counted);
  counted.hooks.measure = [](const Configuration&) -> Expected<Outcome> {
    Outcome outcome;
    outcome.trouble = "it stops";
    return outcome;
  };
  EXPECT_EQ(search(makeSpace(), counted.hooks, false).error().message,
            "the program as it is: it stops");
}

TEST(TuneSearch, WithoutTimeItEndsWithWhatItHas) {
  Counted counted;
  fill(counted);
  counted.hooks.isOver = [&counted] { return counted.timed >= 3; };
  const SearchResult found = search(makeSpace(), counted.hooks, false).value();
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(counted.timed, 3);
}

} // namespace
} // namespace heddle::tune
