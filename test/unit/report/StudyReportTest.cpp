// SPDX-License-Identifier: Apache-2.0
#include "report/StudyReport.h"

#include "report/StudyFigures.h"
#include "report/Table.h"
#include "support/Parse.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::report {
namespace {

study::Check claim(const std::string& id, double atLeast) {
  study::Check check;
  check.id = id;
  check.says = "Each further branch costs as much as the one before it, up to the number of lanes "
               "that a warp has on this machine, and the time grows in a straight line.";
  check.y = "y";
  check.atLeast = atLeast;
  return check;
}

StudySession session() {
  StudySession result;
  StudyFindings findings;
  findings.study.name = "demo";
  findings.study.title = "A demonstration";
  findings.study.source = "An author with a long name, and a title of a document that goes on for "
                          "longer than a line of a screen";
  findings.study.figures = {{.title = "f", .x = "x", .y = "y", .logY = true}};
  findings.study.notes = {{"one branch is an anomaly", "nobody knows"}};
  StudyOnDevice on{.device = "gtx280", .name = "GeForce GTX 280", .rows = {}};
  on.rows = {{{"series", "a"}, {"x", 2}, {"y", 20}},
             {{"series", "a"}, {"x", 1}, {"y", 10}},
             {{"series", "b"}, {"x", 1}, {"y", 0}}};
  for (const auto& check : {claim("low", 1), claim("high", 1000)})
    on.checks.push_back({check, study::evaluate(check, on.rows)});
  on.checks.push_back({claim("other", 1), std::nullopt, "only on the gpu"});
  findings.devices = {on};
  result.studies = {findings};
  return result;
}

TEST(StudyReport, SaysWhatHoldsAndWhatDoesNot) {
  const std::string text = studyText(session(), TextStyle(false));
  EXPECT_NE(text.find("    holds     10  at least 1     Each further"), std::string::npos) << text;
  EXPECT_NE(text.find("    FAILS     10  at least 1000  Each further"), std::string::npos) << text;
  EXPECT_NE(text.find("not asked here: other (only on the gpu)"), std::string::npos) << text;
  EXPECT_NE(text.find("not checked: one branch is an anomaly (nobody knows)"), std::string::npos);
  EXPECT_TRUE(text.ends_with("1 of 2 checks FAIL\n")) << text;
  for (const std::string_view line : splitText(text, '\n'))
    EXPECT_LE(displayWidth(line), 100u) << line;
}

TEST(StudyReport, JsonHasRowsAndVerdicts) {
  const auto json = nlohmann::json::parse(studyJson(session()));
  EXPECT_EQ(json["holding"], 1);
  EXPECT_EQ(json["failing"], 1);
  const auto& on = json["studies"][0]["devices"][0];
  EXPECT_EQ(on["rows"].size(), 3u);
  EXPECT_EQ(on["checks"][0]["verdict"], "holds");
  EXPECT_EQ(on["checks"][1]["verdict"], "fails");
  EXPECT_EQ(on["checks"][2]["verdict"], "skipped");
  EXPECT_TRUE(on["checks"][2]["found"].is_null());
}

TEST(StudyReport, TablesShowRowsAsTheyAre) {
  StudySession shown = session();
  shown.studies[0].study.tables = {
      {"All of a", {{"series", "a"}}, {"series", "y", "z"}, {"line", "time", "none"}},
      {"Nobody", {{"series", "c"}}, {"y"}, {"y"}}};
  shown.studies[0].devices[0].rows[0]["y"] = 0.123456;
  const std::string text = studyText(shown, TextStyle(false));
  EXPECT_NE(text.find("    All of a\n"
                      "    line    time  none\n"
                      "    a     0.1235     -\n"
                      "    a         10     -\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("Nobody"), std::string::npos);
}

TEST(StudyReport, AStudyThatCouldNotRunSaysWhy) {
  StudySession broken;
  StudyFindings findings;
  findings.study.name = "demo";
  findings.error = "no nvcc";
  broken.studies = {findings};
  EXPECT_NE(studyText(broken, TextStyle(false)).find("  error: no nvcc\n"), std::string::npos);
}

TEST(StudyReport, TheListFitsAScreen) {
  study::Study one;
  one.name = "a-study-with-a-name-of-length";
  one.document = "001";
  one.figure = "figures 3 to 6 and the table that follows them";
  one.device = "gtx280";
  one.title = "What one more divergent branch costs, and whether its place in the code matters";
  const std::string text = studyListText({one, one}, TextStyle(false));
  for (const std::string_view line : splitText(text, '\n'))
    EXPECT_LE(displayWidth(line), 100u) << line;
  EXPECT_NE(text.find("matters"), std::string::npos);
}

TEST(StudyFigures, LinesAreSortedAndZeroHasNoLogarithm) {
  const StudyFindings findings = session().studies[0];
  const auto chart =
      studyChart(findings.study.figures[0], findings.devices[0].rows, "GeForce GTX 280");
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->title, "f (GeForce GTX 280)");
  ASSERT_EQ(chart->series.size(), 1u); // b has only a zero
  EXPECT_EQ(chart->series[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(chart->series[0].y, (std::vector<double>{10, 20}));
  EXPECT_EQ(studyPictures(findings).front().fileName, "demo-1.svg");
}

TEST(StudyFigures, ScaleAndPublishedLines) {
  study::Figure figure{.title = "f", .x = "x", .y = "y", .scale = 0.5};
  figure.published = {{"paper", {{4, 9}}}};
  const auto chart = studyChart(figure, session().studies[0].devices[0].rows, "d");
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->series[0].y, (std::vector<double>{5, 10}));
  EXPECT_TRUE(chart->series.back().dashed);
  EXPECT_EQ(chart->x.high, 4);
  EXPECT_EQ(chart->y.low, 0);
  figure.where = {{"series", "none"}};
  EXPECT_FALSE(studyChart(figure, session().studies[0].devices[0].rows, "d"));
}

} // namespace
} // namespace heddle::report
