// SPDX-License-Identifier: Apache-2.0
#include "sweep/Points.h"
#include "support/Files.h"
#include "sweep/Outputs.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace heddle::sweep {
namespace {

namespace fs = std::filesystem;

Spec specOf(const std::string& body) {
  const auto spec = parseSpec(R"({"schema": "heddle.sweep/1", )" + body + "}", "s.json");
  EXPECT_TRUE(spec) << spec.error().message;
  return spec.value_or(Spec{});
}

std::string complaintOf(const std::string& body) {
  const auto spec = parseSpec(R"({"schema": "heddle.sweep/1", )" + body + "}", "s.json");
  if (!spec)
    return spec.error().message;
  const auto points = expandPoints(*spec);
  return points ? "" : points.error().message;
}

std::vector<std::string> commandsOf(const Points& points) {
  std::vector<std::string> texts;
  for (const Point& point : points.points)
    texts.push_back(point.refusal.empty() ? valueText(point.command) : "! " + point.refusal);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(SweepPoints, AGridIsEveryValueWithEveryOther) {
  const auto points = expandPoints(specOf(
      R"("command": ["run", "a.cu", "-DT={t}", "--", "{n}"], "grid": {"t": [8, 16], "n": ["x", "y"]})"));
  ASSERT_TRUE(points);
  EXPECT_EQ(commandsOf(*points), (Texts{"run a.cu -DT=8 -- x", "run a.cu -DT=8 -- y",
                                        "run a.cu -DT=16 -- x", "run a.cu -DT=16 -- y"}));
  EXPECT_TRUE(points->problems.empty());
}

TEST(SweepPoints, RangesHaveRoundNumbers) {
  const auto points = expandPoints(specOf(
      R"("command": ["split", "--p", "{p}", "--x", "{k}"],
         "grid": {"p": {"from": 0.1, "to": 0.3, "step": 0.1}, "k": {"from": 1, "to": 4, "times": 2}})"));
  ASSERT_TRUE(points);
  EXPECT_EQ(points->points.size(), 9u);
  EXPECT_EQ(valueText(points->points.back().command), "split --p 0.3 --x 4");
}

TEST(SweepPoints, AListOfTextsBecomesWords) {
  const auto points = expandPoints(specOf(
      R"("command": ["run", "a.cu", "{fast}", "x={fast}", "{{}}"], "grid": {"fast": [[], ["-a", "-b"]]})"));
  ASSERT_TRUE(points);
  EXPECT_EQ(points->points[0].command, (Texts{"run", "a.cu", "x=", "{}"}));
  EXPECT_EQ(points->points[1].command, (Texts{"run", "a.cu", "-a", "-b", "x=-a -b", "{}"}));
}

TEST(SweepPoints, WhatIsWrongWithOneIsSaidOfIt) {
  const auto points = expandPoints(specOf(
      R"("command": ["split", "--p", "{p}"], "grid": {"p": [1, 1], "q": [1, 2]},
         "list": [{"p": 2}, {"p": 3, "r": 1}, {}])"));
  ASSERT_TRUE(points);
  EXPECT_EQ(commandsOf(*points),
            (Texts{"split --p 1", "split --p 2", "! unknown parameter 'r'; the command has: p",
                   "! no value for 'p'"}));
  EXPECT_EQ(points->problems,
            (Texts{"unknown parameter 'q': the command has no {q}, and it is left out; did you "
                   "mean p?",
                   "a point that is given twice is run once"}));
}

TEST(SweepPoints, AnEmptyGridIsNamedAndTheListGoesOn) {
  const auto points = expandPoints(
      specOf(R"("command": ["split", "--p", "{p}"], "grid": {"p": []}, "list": [{"p": 2}])"));
  ASSERT_TRUE(points);
  EXPECT_EQ(commandsOf(*points), (Texts{"split --p 2"}));
  EXPECT_EQ(points->problems, (Texts{"empty grid: 'p' has no values"}));
}

TEST(SweepPoints, WithoutAnyPointThereIsNoSweep) {
  const std::string command = R"("command": ["split", "--p", "{p}"], )";
  EXPECT_EQ(complaintOf(command + R"("grid": {"p": []})"), "empty grid: 'p' has no values");
  EXPECT_EQ(complaintOf(command + R"("list": [])"),
            "command: {p} has no values in the grid or the list");
  EXPECT_EQ(complaintOf(command + R"("grid": {"pp": [1]})"),
            "command: {p} has no values in the grid or the list; did you mean pp?");
  EXPECT_EQ(complaintOf(R"("command": ["split", "{p"], "grid": {})"),
            "command: '{p' has a '{' without a '}'; '{{' is a brace");
  const std::string many = R"({"from": 1, "to": 1001, "step": 1})";
  EXPECT_EQ(complaintOf(R"("command": ["split", "{p}", "{q}"], "grid": {"p": )" + many +
                        R"(, "q": )" + many + "}"),
            "grid: it has more than 1000000 points");
}

TEST(SweepPoints, SpecsAreCheckedKeyByKey) {
  EXPECT_EQ(complaintOf(R"("command": ["cc", "a.cu"], "grid": {})"),
            "s.json: key 'command': found \"cc\", expected the words of one of: fix, occupancy, "
            "profile, run, schedule, split, study, tune");
  const std::string command = R"("command": ["split", "--p", "{p}"])";
  EXPECT_EQ(complaintOf(command),
            "s.json: key 'grid': there is neither a grid nor a 'list', expected one of them");
  EXPECT_EQ(complaintOf(command + R"(, "points": {})"),
            "s.json: key 'grid': there is neither a grid nor a 'list', expected one of them");
  EXPECT_EQ(complaintOf(command + R"(, "grid": {"p": 1}, "limt": 3)"),
            "s.json: key 'limt': it is unknown here; did you mean limit or list?");
  EXPECT_EQ(complaintOf(command + R"(, "grid": {"p": {"from": 1, "to": 2, "step": 0}})"),
            "s.json: grid.p: a range needs a step above 0, or times above 1 and from above 0");
  EXPECT_EQ(complaintOf(command + R"(, "grid": {"p": [{}]})").substr(0, 23),
            "s.json: key 'grid.p': f");
  EXPECT_EQ(parseSpec("{", "s.json").error().message, "s.json: line 1 is no JSON behind '{'");
}

TEST(SweepPoints, ASourceThatChangedIsAnotherPoint) {
  const fs::path file = fs::temp_directory_path() / fmt::format("heddle-sweep-{}.cu", getpid());
  const Spec spec = specOf(R"("command": ["run", ")" + file.string() + R"("], "grid": {})");
  ASSERT_TRUE(writeFile(file, "int a;"));
  const std::string before = expandPoints(spec)->points.front().key;
  EXPECT_EQ(before, expandPoints(spec)->points.front().key);
  ASSERT_TRUE(writeFile(file, "int b;"));
  EXPECT_NE(before, expandPoints(spec)->points.front().key);
  fs::remove(file);
}

TEST(SweepOutputs, AreFlattened) {
  const std::string document = R"({"schema": "x/1", "a": {"b": 1.5, "c": null}, "grid": [1, 2],
    "long": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "kernels": [{"name": "f", "n": 1, "lost": [{"kind": "x"}]}, {"name": "f", "n": 2}]})";
  EXPECT_EQ(outputsOf(document, {}).dump(),
            R"({"a.b":1.5,"grid.0":1,"grid.1":2,"kernels.f.name":"f","kernels.f.n":1,)"
            R"("kernels.f#2.name":"f","kernels.f#2.n":2})");
  EXPECT_EQ(outputsOf(document, {"a", "kernels.f.n"}).dump(), R"({"a.b":1.5,"kernels.f.n":1})");
  EXPECT_EQ(outputsOf("no JSON", {}).dump(), "{}");
}

} // namespace
} // namespace heddle::sweep
