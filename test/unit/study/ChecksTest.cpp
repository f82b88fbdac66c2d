// SPDX-License-Identifier: Apache-2.0
#include "study/Checks.h"

#include <gtest/gtest.h>

namespace heddle::study {
namespace {

/// Rows of one series, x from 0 on.
std::vector<Row> rowsOf(const std::string& series, const std::vector<double>& values) {
  std::vector<Row> rows;
  for (std::size_t x = 0; x < values.size(); ++x)
    rows.push_back({{"series", series}, {"x", x}, {"y", values[x]}});
  return rows;
}

std::vector<Row> both(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Row> rows = rowsOf("a", a);
  for (Row& row : rowsOf("b", b))
    rows.push_back(std::move(row));
  return rows;
}

Check checkOf(CheckKind kind) {
  Check check;
  check.kind = kind;
  check.x = "x";
  check.y = "y";
  return check;
}

Check pairCheck(CheckKind kind) {
  Check check = checkOf(kind);
  check.of = {{"series", "a"}};
  check.to = {{"series", "b"}};
  return check;
}

void expectFails(const Check& check, const std::vector<Row>& rows, const std::string& reason) {
  const CheckResult result = evaluate(check, rows);
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.found, std::nullopt);
  EXPECT_EQ(result.reason, reason);
}

TEST(Checks, LinearIsRSquared) {
  Check check = checkOf(CheckKind::Linear);
  check.atLeast = 0.99;
  EXPECT_TRUE(evaluate(check, rowsOf("a", {3, 5, 7, 9})).holds);
  EXPECT_NEAR(*evaluate(check, rowsOf("a", {3, 5, 7, 9})).found, 1, 1e-12);
  // By hand: mean y 3.5, Sxy = 10, Sxx = 5, Syy = 21.
  const CheckResult bent = evaluate(check, rowsOf("a", {1, 2, 4, 7}));
  EXPECT_NEAR(*bent.found, 100.0 / 105, 1e-12);
  EXPECT_FALSE(bent.holds);
}

TEST(Checks, LinearNeedsThreePointsThatDiffer) {
  Check check = checkOf(CheckKind::Linear);
  check.atLeast = 0;
  expectFails(check, rowsOf("a", {1, 2}), "too few rows: 2, expected at least 3");
  expectFails(check, rowsOf("a", {2, 2, 2}), "y is the same in all rows");
}

TEST(Checks, FlatIsTheSpreadOverTheMean) {
  Check check = checkOf(CheckKind::Flat);
  check.atMost = 0.1;
  const CheckResult result = evaluate(check, rowsOf("a", {99, 100, 101}));
  EXPECT_NEAR(*result.found, 0.02, 1e-12);
  EXPECT_TRUE(result.holds);
  EXPECT_FALSE(evaluate(check, rowsOf("a", {90, 100, 110})).holds);
  EXPECT_EQ(evaluate(check, rowsOf("a", {0, 0})).found, 0);
  expectFails(check, rowsOf("a", {-1, 1}), "the mean is 0");
  expectFails(check, rowsOf("a", {1}), "too few rows: 1, expected at least 2");
}

TEST(Checks, ValueTakesOneNumber) {
  Check check = checkOf(CheckKind::Value);
  const auto rows = rowsOf("a", {4, 1, 7, 2});
  const std::pair<Take, double> expected[] = {{Take::Mean, 3.5}, {Take::Min, 1},  {Take::Max, 7},
                                              {Take::First, 4},  {Take::Last, 2}, {Take::Sum, 14},
                                              {Take::Count, 4}};
  for (const auto& [take, value] : expected) {
    check.take = take;
    check.atLeast = check.atMost = value;
    EXPECT_TRUE(evaluate(check, rows).holds) << value;
    check.atLeast = check.atMost = value + 0.5;
    EXPECT_FALSE(evaluate(check, rows).holds) << value;
  }
}

TEST(Checks, FirstAndLastFollowX) {
  Check check = checkOf(CheckKind::Value);
  check.take = Take::First;
  const std::vector<Row> rows = {{{"x", 5}, {"y", 1}}, {{"x", 2}, {"y", 9}}};
  EXPECT_EQ(evaluate(check, rows).found, 9);
  check.x.clear(); // without x, as they were printed
  EXPECT_EQ(evaluate(check, rows).found, 1);
}

TEST(Checks, PlaceIsWhereYIsExtreme) {
  Check check = checkOf(CheckKind::Place);
  check.take = Take::Max;
  check.atLeast = 2;
  check.atMost = 3;
  EXPECT_EQ(evaluate(check, rowsOf("a", {1, 2, 5, 3})).found, 2);
  EXPECT_TRUE(evaluate(check, rowsOf("a", {1, 2, 5, 3})).holds);
  EXPECT_FALSE(evaluate(check, rowsOf("a", {9, 2, 5, 3})).holds);
  check.take = Take::Min;
  EXPECT_EQ(evaluate(check, rowsOf("a", {9, 2, 5, 3})).found, 1);
}

TEST(Checks, RatioPairsByX) {
  Check check = pairCheck(CheckKind::Ratio);
  check.atLeast = 2;
  check.atMost = 3;
  const auto rows = both({2, 6, 100}, {1, 2});
  EXPECT_EQ(evaluate(check, rows).found, 2.5);
  EXPECT_EQ(evaluate(check, rows).rows, 2u);
  EXPECT_TRUE(evaluate(check, rows).holds);
  check.take = Take::Last;
  EXPECT_EQ(evaluate(check, rows).found, 3);
  check.xRange = {0, 0};
  EXPECT_EQ(evaluate(check, rows).found, 2);
  check.atMost = 1.9;
  EXPECT_FALSE(evaluate(check, rows).holds);
}

TEST(Checks, RatioPairsTextsToo) {
  Check check = pairCheck(CheckKind::Ratio);
  check.x = "kernel";
  const std::vector<Row> rows = {{{"series", "a"}, {"kernel", "k1"}, {"y", 6}},
                                 {{"series", "a"}, {"kernel", "k2"}, {"y", 8}},
                                 {{"series", "b"}, {"kernel", "k2"}, {"y", 2}}};
  EXPECT_EQ(evaluate(check, rows).found, 4);
}

TEST(Checks, RatioWithoutXTakesSingleRows) {
  Check check = pairCheck(CheckKind::Ratio);
  check.x.clear();
  EXPECT_EQ(evaluate(check, both({6}, {3})).found, 2);
  expectFails(check, both({6, 7}, {3}), "several rows of 'of': narrow the filter");
}

TEST(Checks, RatioRefusesWhatItCannotPair) {
  const Check check = pairCheck(CheckKind::Ratio);
  expectFails(check, both({1}, {0}), "'y' of 'to' is 0 at 0");
  auto rows = both({1}, {1});
  rows.push_back(rows.front());
  expectFails(check, rows, "several rows of 'of' with x = 0: narrow the filter");
  rows = both({1}, {});
  expectFails(check, rows, R"(no rows: none matches {"series":"b"})");
  rows.push_back({{"series", "b"}, {"x", 7}, {"y", 1}});
  expectFails(check, rows, "no rows: no x is on both sides");
}

TEST(Checks, ShareCountsPairs) {
  Check check = pairCheck(CheckKind::Share);
  check.below = 1;
  check.atLeast = 0.7;
  const auto rows = both({1, 1, 1, 1}, {2, 2, 2, 1});
  EXPECT_EQ(evaluate(check, rows).found, 0.75); // a ratio of 1 is not below 1
  EXPECT_TRUE(evaluate(check, rows).holds);
  check.below.reset();
  check.above = 0.9;
  EXPECT_EQ(evaluate(check, rows).found, 0.25);
  EXPECT_FALSE(evaluate(check, rows).holds);
}

TEST(Checks, RisingAndFallingAllowTheirSlack) {
  Check rising = checkOf(CheckKind::Rising);
  rising.atMost = 0;
  EXPECT_TRUE(evaluate(rising, rowsOf("a", {1, 2, 2, 5})).holds);
  const CheckResult dip = evaluate(rising, rowsOf("a", {1, 100, 98, 200}));
  EXPECT_NEAR(*dip.found, 0.02, 1e-12);
  EXPECT_FALSE(dip.holds);
  rising.atMost = 0.03;
  EXPECT_TRUE(evaluate(rising, rowsOf("a", {1, 100, 98, 200})).holds);
  Check falling = checkOf(CheckKind::Falling);
  falling.atMost = 0;
  EXPECT_TRUE(evaluate(falling, rowsOf("a", {5, 2, 0})).holds);
  EXPECT_FALSE(evaluate(falling, rowsOf("a", {5, 2, 3})).holds);
  expectFails(rising, rowsOf("a", {1}), "too few rows: 1, expected at least 2");
  expectFails(rising, both({1, 2}, {1, 2}), "several rows with x = 0: narrow the filter");
}

TEST(Checks, WithoutRowsEveryKindFails) {
  for (std::size_t kind = 0; kind < kindNames().size(); ++kind) {
    Check check = checkOf(CheckKind(kind));
    check.where = {{"series", "none"}};
    check.atMost = 1e9;
    const CheckResult result = evaluate(check, rowsOf("a", {1, 2, 3}));
    EXPECT_FALSE(result.holds) << kindNames()[kind];
    EXPECT_EQ(result.reason, R"(no rows: none matches {"series":"none"})");
  }
}

TEST(Checks, ReasonsTellAMissingFieldFromAMissingRow) {
  Check check = checkOf(CheckKind::Linear);
  check.y = "z";
  expectFails(check, rowsOf("a", {1, 2, 3}), "no rows: 3 match, none has 'z' and 'x'");
  check.y = "y";
  check.xRange = {10, 20};
  expectFails(check, rowsOf("a", {1, 2, 3}), "no rows: 3 match, none has 'y' and 'x' in the range");
}

TEST(Checks, BoundsAreWrittenAsTheyAreMeant) {
  Check check;
  check.atLeast = 0.999;
  EXPECT_EQ(boundText(check), "at least 0.999");
  check.atMost = 2;
  EXPECT_EQ(boundText(check), "0.999 to 2");
  check.atLeast = 2;
  EXPECT_EQ(boundText(check), "2");
  check.atLeast.reset();
  EXPECT_EQ(boundText(check), "at most 2");
  check.atMost = 2750464;
  EXPECT_EQ(boundText(check), "at most 2750464");
}

} // namespace
} // namespace heddle::study
