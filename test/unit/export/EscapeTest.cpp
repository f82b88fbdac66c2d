// SPDX-License-Identifier: Apache-2.0
#include "export/Escape.h"

#include <gtest/gtest.h>

namespace heddle::exporting {
namespace {

TEST(Escape, MarkdownStaysOneCellOfText) {
  EXPECT_EQ(markdownText("a|b"), "a&#124;b");
  EXPECT_EQ(markdownText("<script>&"), "&lt;script&gt;&amp;");
  EXPECT_EQ(markdownText("[x](y) *z* `q` @me #1"),
            "&#91;x&#93;(y) &#42;z&#42; &#96;q&#96; &#64;me &#35;1");
  EXPECT_EQ(markdownText("two\nlines").find('\n'), std::string::npos);
  EXPECT_EQ(markdownCode("</code>"), "<code>&lt;/code&gt;</code>");
}

TEST(Escape, CsvFieldsHoldWhatTheyHold) {
  EXPECT_EQ(csvField("plain"), "plain");
  EXPECT_EQ(csvField("a,b"), "\"a,b\"");
  EXPECT_EQ(csvField("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csvField("=1+2"), "'=1+2") << "no formula";
  EXPECT_EQ(csvField("two\nlines").find('\n'), std::string::npos);
}

TEST(Escape, UrisOfPaths) {
  EXPECT_EQ(fileUri("src/a.cu"), "src/a.cu");
  EXPECT_EQ(fileUri("a b%0a.cu"), "a%20b%250a.cu");
  EXPECT_EQ(fileUri("/x/y"), "file:///x/y");
  EXPECT_EQ(fileUri("c:d\"<>\n\xc3\xa4"), "c%3Ad%22%3C%3E%0A%C3%A4");
}

TEST(Escape, SarifMessagesHaveNoLinksAndNoArguments) {
  EXPECT_EQ(sarifText("k<int[3]> {0}"), "k<int\\[3\\]> {{0}}");
}

} // namespace
} // namespace heddle::exporting
