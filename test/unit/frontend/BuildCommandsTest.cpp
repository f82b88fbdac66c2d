// SPDX-License-Identifier: Apache-2.0
#include "frontend/BuildCommands.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

using Words = std::vector<std::string>;

Words wordsOf(std::string_view text) {
  return splitWords(text).value();
}

TEST(SplitWords, AreAsAShellHasThem) {
  EXPECT_EQ(wordsOf("  a\tb\n"), (Words{"a", "b"}));
  EXPECT_EQ(wordsOf(R"(-D"A=\"x y\"" 'b\' c\ d "")"), (Words{R"(-DA="x y")", "b\\", "c d", ""}));
  EXPECT_EQ(splitWords("a 'b").error().message, "a quote ' is never closed");
}

class CompileCommands : public testing::Test {
protected:
  Expected<std::vector<BuildCommand>> read(const std::string& text) const {
    EXPECT_TRUE(writeFile(file_, text));
    return readCompileCommands(file_);
  }

  TemporaryFolder folder_ = *TemporaryFolder::make();
  std::filesystem::path file_ = folder_.path() / "compile_commands.json";
};

TEST_F(CompileCommands, HaveWordsOrALine) {
  const auto commands = read(R"([{"directory": "/b", "file": "a.cu", "command": "nvcc -c 'a.cu'"},
    {"directory": "/b", "file": "c.cpp", "output": "c.o", "arguments": ["g++", "-c", "c.cpp"]}])");
  ASSERT_TRUE(commands) << commands.error().message;
  ASSERT_EQ(commands->size(), 2u);
  EXPECT_EQ((*commands)[0].folder, "/b");
  EXPECT_EQ((*commands)[0].arguments, (Words{"-c", "a.cu"}));
  EXPECT_EQ((*commands)[1].output, "c.o");
  EXPECT_EQ((*commands)[1].arguments, (Words{"-c", "c.cpp"}));
}

TEST_F(CompileCommands, ThatAreNoneAreRefusedByName) {
  for (const char* text : {"{", R"([{"file": "a.cu"}])", R"([{"directory": "", "file": ""}])"}) {
    const auto commands = read(text);
    ASSERT_FALSE(commands);
    EXPECT_TRUE(commands.error().message.starts_with(file_.string() + " is no list of"))
        << commands.error().message;
  }
  EXPECT_FALSE(read(R"([{"directory": "", "file": "", "command": "nvcc 'a"}])"));
}

TEST(KeptCommands, AreFoundInWhatTheyMade) {
  const std::string self = readFile("/proc/self/exe").value();
  EXPECT_TRUE(keptCommands(self).compiled.empty());
  EXPECT_TRUE(keptCommands("no binary").linked.empty());
  EXPECT_FALSE(withCommand("no binary", {}));
  const BuildCommand compiled{"/b", "a\n\"\xff.cu", "a.o", {"-c", "a b"}},
      linked{"/c", "", "a", {}};
  const std::string kept = withCommand(withCommand(self, compiled).value(), linked).value();
  const KeptCommands found = keptCommands(kept);
  ASSERT_EQ(found.compiled.size(), 1u);
  EXPECT_EQ(found.compiled[0].folder, "/b");
  EXPECT_EQ(found.compiled[0].file,
            "a\n\"\ufffd.cu"); // names that are no UTF-8 are not found again
  EXPECT_EQ(found.compiled[0].arguments, compiled.arguments);
  ASSERT_EQ(found.linked.size(), 1u);
  EXPECT_EQ(found.linked[0].output, "a");
}

} // namespace
} // namespace heddle::frontend
