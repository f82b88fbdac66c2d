// SPDX-License-Identifier: Apache-2.0
#include "report/Table.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Table, AlignsColumnsAndTrimsLines) {
  Table table("lr");
  table.addRow({"a", "10"});
  table.addRow({"long", "5"});
  table.addRow({"b", ""});
  EXPECT_EQ(table.print(), "  a     10\n  long   5\n  b\n");
}

TEST(Table, MeasuresWhatIsSeen) {
  EXPECT_EQ(displayWidth("▁▂▃"), 3u);
  EXPECT_EQ(displayWidth("\x1b[1mbold\x1b[0m"), 4u);
}

TEST(Table, WrapsAtSpaces) {
  EXPECT_EQ(wrapText("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapText("unbreakable a", 5), (std::vector<std::string>{"unbreakable", "a"}));
  EXPECT_EQ(wrapText("", 5), (std::vector<std::string>{""}));
}

TEST(Table, FitsTheTerminal) {
  const std::string line =
      "  time   " + std::string(40, 'a') + "   limited by " + std::string(20, 'b');
  EXPECT_EQ(fitted(line + "\n"), line + "\n");
  setMostColumns(60);
  EXPECT_EQ(fitted(line + "\nrest\n"), "  time   " + std::string(40, 'a') + "\n      limited by " +
                                           std::string(20, 'b') + "\nrest\n");
  EXPECT_EQ(fitted(std::string(80, 'c')), std::string(80, 'c')); // nowhere to break
  setMostColumns(1000);
  EXPECT_EQ(mostColumns(), 100u);
}

} // namespace
} // namespace heddle::report
