// SPDX-License-Identifier: Apache-2.0
#include "study/Rows.h"

#include <gtest/gtest.h>

namespace heddle::study {
namespace {

TEST(Rows, OneObjectALine) {
  const auto rows = parseRows("{\"series\": \"a\", \"x\": 1, \"ok\": true}\n\n  \r\n"
                              "{\"series\": \"b\", \"x\": 2.5}",
                              "demo");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(numberOf((*rows)[0], "x"), 1);
  EXPECT_EQ(numberOf((*rows)[0], "ok"), 1);
  EXPECT_EQ(numberOf((*rows)[1], "x"), 2.5);
  EXPECT_EQ(numberOf((*rows)[0], "series"), std::nullopt);
  EXPECT_EQ(numberOf((*rows)[0], "none"), std::nullopt);
}

TEST(Rows, NothingPrintedIsNoRow) {
  EXPECT_TRUE(parseRows("", "demo")->empty());
}

TEST(Rows, ARefusalNamesTheLineAndWhatIsWrong) {
  EXPECT_EQ(parseRows("{\"x\": 1}\nhello\n", "demo.cu").error().message,
            "demo.cu: line 2 of its output: found 'hello', expected a JSON object");
  EXPECT_EQ(parseRows("[1]", "d").error().message,
            "d: line 1 of its output: found '[1]', expected a JSON object");
  EXPECT_EQ(parseRows("{\"x\": [1]}", "d").error().message,
            "d: line 1 of its output: key 'x': found [1], expected a number, a text or a boolean");
  EXPECT_FALSE(parseRows("{\"x\": nan}", "d"));
}

TEST(Rows, DocumentsAreFlattened) {
  const auto rows = rowsOfDocument(R"({"a": {"list": [{"b": {"c": 1, "d": null}, "e": [7, 8]}]}})",
                                   "/a/list", "heddle x");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->front().dump(), R"({"b.c":1,"e.0":7,"e.1":8})");
}

TEST(Rows, OneObjectIsOneRow) {
  EXPECT_EQ(rowsOfDocument(R"({"a": 1})", "", "h")->size(), 1u);
}

TEST(Rows, DocumentsThatDoNotFitAreRefused) {
  EXPECT_EQ(rowsOfDocument("{}", "/rows", "heddle x").error().message,
            "heddle x: there is nothing at '/rows' in its output");
  EXPECT_EQ(rowsOfDocument(R"({"rows": [1]})", "/rows", "heddle x").error().message,
            "heddle x: at '/rows' its output has [1], expected an object or an array of objects");
  EXPECT_EQ(rowsOfDocument("table", "", "heddle x").error().message,
            "heddle x: its output is no JSON: found 'table'; does it have --json?");
}

TEST(Rows, FiltersNeedEveryField) {
  const Row row = Row::parse(R"({"series": "a", "p": 0.3, "on": true})");
  EXPECT_TRUE(matches(row, Filter::object()));
  EXPECT_TRUE(matches(row, Filter::parse(R"({"series": "a", "on": true})")));
  EXPECT_TRUE(matches(row, Filter::parse(R"({"p": 0.30000000000000004})")));
  EXPECT_FALSE(matches(row, Filter::parse(R"({"p": 0.3001})")));
  EXPECT_FALSE(matches(row, Filter::parse(R"({"series": "a", "none": 1})")));
  EXPECT_FALSE(matches(row, Filter::parse(R"({"on": "true"})")));
}

TEST(Rows, WholeAndBrokenNumbersAreTheSame) {
  EXPECT_TRUE(sameValue(Value(2), Value(2.0)));
  EXPECT_TRUE(sameValue(Value(0), Value(0.0)));
  EXPECT_FALSE(sameValue(Value(2), Value("2")));
}

} // namespace
} // namespace heddle::study
