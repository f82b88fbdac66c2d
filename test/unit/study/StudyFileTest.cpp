// SPDX-License-Identifier: Apache-2.0
#include "study/StudyFile.h"

#include <gtest/gtest.h>

namespace heddle::study {
namespace {

using Json = nlohmann::ordered_json;

Json whole() {
  return Json::parse(R"({
    "schema": "heddle.study/1", "document": "001", "source": "Hovland, Branch performance",
    "figure": "figure 3", "title": "Branches", "device": "gtx280", "devices": ["h200", "gtx280"],
    "registers": {"gtx280": {"kernel": 6}},
    "runs": [{"arguments": ["--n", "4"], "quick": [], "gpu": ["--n", "8"], "with": {"e": 1}},
             {"heddle": ["schedule", "table", "--json"], "rows": "/rows"}],
    "tables": [{"title": "all", "where": {"kind": "a"}, "columns": ["n", "us"]},
               {"title": "few", "columns": ["n"], "labels": ["size"]}],
    "figures": [{"title": "t", "x": "n", "y": "us", "logX": true, "by": "kind", "scale": 2,
                 "where": {"e": 1}, "published": [{"name": "p", "points": [[0, 1], [2, 3]]}]}],
    "checks": [{"id": "is-linear", "says": "linear", "kind": "linear", "x": "n", "y": "us",
                "atLeast": 0.9, "xRange": [1, 8], "on": "gpu", "device": ["gtx280"]},
               {"id": "b", "says": "s", "kind": "share", "of": {"s": "a"}, "to": {"s": "b"},
                "x": "n", "y": "us", "below": 1, "atLeast": 0.9},
               {"id": "c", "says": "s", "kind": "rising", "x": "n", "y": "us", "slack": 0.01}],
    "notes": [{"says": "s", "because": "b"}]})");
}

std::string complaint(const Json& declaration) {
  const auto study = parseStudy(declaration.dump(), "demo", "demo/study.json");
  return study ? "" : study.error().message;
}

/// The complaint about the whole declaration with one value put in or, by null, taken out.
std::string complaintWith(const std::string& pointer, const Json& value) {
  Json declaration = whole();
  const Json::json_pointer place(pointer);
  if (value.is_null())
    declaration[place.parent_pointer()].erase(place.back());
  else
    declaration[place] = value;
  return complaint(declaration);
}

TEST(StudyFile, ReadsEveryKey) {
  const auto study = parseStudy(whole().dump(), "demo", "f");
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(study->name, "demo");
  EXPECT_EQ(study->devices, (std::vector<std::string>{"h200", "gtx280"}));
  EXPECT_EQ(study->registers.at("gtx280").at("kernel"), 6);
  EXPECT_TRUE(study->runs[0].hasQuick);
  EXPECT_TRUE(study->runs[0].quick.empty());
  EXPECT_EQ(study->runs[0].gpu[1], "8");
  EXPECT_EQ(study->runs[1].heddle.size(), 3u);
  EXPECT_EQ(study->runs[1].rows, "/rows");
  EXPECT_TRUE(study->hasProgramRun());
  const Figure& figure = study->figures[0];
  EXPECT_TRUE(figure.logX && !figure.logY);
  EXPECT_EQ(figure.xLabel, "n");
  EXPECT_EQ(figure.by, "kind");
  EXPECT_EQ(figure.published[0].points[1], std::pair(2.0, 3.0));
  EXPECT_EQ(study->tables[0].labels, study->tables[0].columns);
  EXPECT_EQ(study->tables[0].where["kind"], "a");
  EXPECT_EQ(study->tables[1].labels, (std::vector<std::string>{"size"}));
  EXPECT_EQ(study->checks[0].kind, CheckKind::Linear);
  EXPECT_EQ(study->checks[0].xRange, std::pair(1.0, 8.0));
  EXPECT_EQ(study->checks[0].on, "gpu");
  EXPECT_EQ(study->checks[1].below, 1);
  EXPECT_EQ(study->checks[2].atMost, 0.01);
  EXPECT_EQ(study->notes[0].because, "b");
}

TEST(StudyFile, ARunThatIsOverNeedsNoProgram) {
  Json declaration = whole();
  declaration["runs"] = Json::parse(R"([{"file": "rows.jsonl", "with": {"e": 1}}])");
  const auto study = parseStudy(declaration.dump(), "demo", "f");
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ(study->runs[0].file, "rows.jsonl");
  EXPECT_FALSE(study->hasProgramRun());
  declaration["runs"][0]["quick"] = Json::array();
  EXPECT_EQ(complaint(declaration), "demo/study.json: key 'runs[0].quick': it is unknown here");
}

TEST(StudyFile, WithoutDevicesThereIsTheDocuments) {
  Json declaration = whole();
  declaration.erase("devices");
  EXPECT_EQ(parseStudy(declaration.dump(), "d", "f")->devices, std::vector<std::string>{"gtx280"});
}

TEST(StudyFile, ComplaintsNameFileKeyFoundAndExpected) {
  EXPECT_EQ(complaintWith("/title", nullptr),
            "demo/study.json: key 'title': it is missing, expected a text");
  EXPECT_EQ(complaintWith("/title", 3), "demo/study.json: key 'title': found 3, expected a text");
  EXPECT_EQ(complaintWith("/schema", "heddle.study/2"),
            "demo/study.json: key 'schema': found \"heddle.study/2\", expected \"heddle.study/1\"");
  EXPECT_EQ(complaintWith("/document", "1"),
            "demo/study.json: key 'document': found \"1\", expected three digits such as \"001\"");
  EXPECT_EQ(complaintWith("/runs", Json::array()),
            "demo/study.json: key 'runs': it is missing or empty, expected at least one execution");
  EXPECT_EQ(complaintWith("/runs/0/arguments", Json::array({1})),
            "demo/study.json: key 'runs[0].arguments': found [1], expected an array of texts");
  EXPECT_EQ(complaintWith("/registers/gtx280/kernel", 300),
            "demo/study.json: key 'registers.gtx280.kernel': found 300, expected a whole number "
            "from 1 to 255");
  EXPECT_EQ(complaintWith("/tables/0/columns", Json::array()),
            "demo/study.json: key 'tables[0].columns': expected the names of fields, such as "
            "[\"series\", \"speedup\"]");
  EXPECT_EQ(complaintWith("/tables/1/labels", Json::array({"a", "b"})),
            "demo/study.json: key 'tables[1].labels': found 2, expected one for each of the 1 "
            "columns");
  EXPECT_EQ(complaintWith("/figures/0/logX", 1),
            "demo/study.json: key 'figures[0].logX': found 1, expected true or false");
  EXPECT_EQ(complaintWith("/figures/0/published/0/points", Json::array({1})),
            "demo/study.json: key 'figures[0].published[0].points': found [1], expected an array "
            "of pairs of numbers");
  EXPECT_EQ(complaintWith("/checks/0/where", Json{{"a", Json::array()}}),
            "demo/study.json: key 'checks[0].where': found {\"a\":[]}, expected an object of "
            "numbers, texts and booleans");
}

TEST(StudyFile, UnknownKeysAreRefusedWithTheNearest) {
  EXPECT_EQ(complaintWith("/sources", "x"),
            "demo/study.json: key 'sources': it is unknown here; did you mean source?");
  EXPECT_EQ(complaintWith("/checks/0/take", "mean"),
            "demo/study.json: key 'checks[0].take': it is unknown here");
  EXPECT_NE(complaintWith("/runs/1/arguments", Json::array()).find("'runs[1].arguments'"),
            std::string::npos);
}

TEST(StudyFile, ChecksThatCouldNotFailAreRefused) {
  EXPECT_EQ(complaintWith("/checks/0/atLeast", nullptr),
            "demo/study.json: key 'checks[0].atLeast': it is missing, expected a number: the "
            "smallest R^2");
  EXPECT_EQ(complaintWith("/checks/1/atLeast", nullptr),
            "demo/study.json: key 'checks[1].atLeast': neither it nor 'atMost' is there, expected "
            "a bound that can fail");
  EXPECT_EQ(complaintWith("/checks/1/above", 1),
            "demo/study.json: key 'checks[1].below': found it and also 'above', expected one of "
            "the two");
  EXPECT_EQ(complaintWith("/checks/2/slack", 1),
            "demo/study.json: key 'checks[2].slack': found 1, expected 0 or more and below 1");
  EXPECT_EQ(complaintWith("/checks/0/atMost", 0.5),
            "demo/study.json: key 'checks[0].atLeast': found 0.9, expected at most 0.5, which is "
            "'atMost'");
}

TEST(StudyFile, ChecksAreNamedAndOfAKind) {
  EXPECT_EQ(complaintWith("/checks/1/id", "is-linear"),
            "demo/study.json: key 'checks[1].id': found \"is-linear\" a second time, expected "
            "another name");
  EXPECT_EQ(complaintWith("/checks/0/id", "Is linear"),
            "demo/study.json: key 'checks[0].id': found \"Is linear\", expected small letters, "
            "digits and dashes");
  EXPECT_EQ(complaintWith("/checks/0/kind", "liner"),
            "demo/study.json: key 'checks[0].kind': found \"liner\", expected one of linear, flat, "
            "value, place, ratio, share, rising, falling; did you mean linear?");
  EXPECT_EQ(complaintWith("/checks/1/of", nullptr),
            "demo/study.json: key 'checks[1].of': it is missing, expected a filter of rows");
  EXPECT_EQ(complaintWith("/checks/0/xRange", Json::array({8, 1})),
            "demo/study.json: key 'checks[0].xRange': found [8, 1], expected the smaller number "
            "first");
}

TEST(StudyFile, CommandsOfHeddleAreChecked) {
  EXPECT_EQ(complaintWith("/runs/1/rows", ""), ""); // the whole document
  EXPECT_EQ(complaintWith("/runs/1/rows", nullptr), "");
  EXPECT_EQ(complaintWith("/runs/1/rows", "rows"),
            "demo/study.json: key 'runs[1].rows': found \"rows\", expected a JSON pointer such as "
            "\"/rows\"");
  EXPECT_NE(complaintWith("/runs/1/heddle", Json::array({"study", "all"})).find("other than study"),
            std::string::npos);
}

TEST(StudyFile, TextThatIsNoJsonIsRefusedByLine) {
  EXPECT_EQ(parseStudy("{\n  \"schema\": x", "d", "f.json").error().message,
            "f.json: line 2 is no JSON behind '  \"schema\": '");
  EXPECT_EQ(parseStudy("[]", "d", "f.json").error().message,
            "f.json: found array, expected a JSON object");
}

TEST(StudyFile, AMissingFolderIsAnError) {
  EXPECT_FALSE(readStudy("/nonexistent/demo"));
  EXPECT_FALSE(studyNames("/nonexistent"));
}

} // namespace
} // namespace heddle::study
