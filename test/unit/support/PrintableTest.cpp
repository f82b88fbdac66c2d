// SPDX-License-Identifier: Apache-2.0
#include "support/Printable.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain", "\tif (x < 1) // \u00b5s, \u65e5\u672c, \U0001f600\n"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, SpellsOutWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[2Jb\r\x7f"), "a\\x1b[2Jb\\x0d\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "5A"),
            "\\x9b5A"); // C1, as UTF-8
  EXPECT_EQ(printable("\u202egnp.exe\u2066"), "\\u{202e}gnp.exe\\u{2066}");
  EXPECT_EQ(printableLine("a\nb"), "a\\nb");
}

TEST(Printable, SpellsOutWhatIsNoUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");          // cut off
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");          // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, KeepsColoursWhereTheyAreOurs) {
  EXPECT_EQ(printableColored("\x1b[1mbold\x1b[0m\x1b[2J"), "\x1b[1mbold\x1b[0m\\x1b[2J");
  EXPECT_EQ(printable("\x1b[1m"), "\\x1b[1m");
}

} // namespace
} // namespace heddle
