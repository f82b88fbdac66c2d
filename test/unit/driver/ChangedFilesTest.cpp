// SPDX-License-Identifier: Apache-2.0
#include "driver/ChangedFiles.h"

#include "driver/IncludedFiles.h"
#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

/// A project of a program, a header beside it, and one that -I finds.
class ChangedFilesTest : public testing::Test {
protected:
  void SetUp() override {
    const fs::path root = folder_.path() / "project";
    for (const char* each : {".git", "src", "include"})
      fs::create_directories(root / each);
    write("src/main.cu", "#include \"kernel.cuh\"\n#include <vector>\n");
    write("src/kernel.cuh", "  #  include \"step.h\"\n#include \"../../outside.h\"\n");
    write("src/other.h", "");
    write("include/step.h", "int step;\n");
    ASSERT_TRUE(writeFile(folder_.path() / "outside.h", "\n"));
  }

  std::string at(const std::string& name) const {
    return fs::canonical(folder_.path() / "project" / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFile(folder_.path() / "project" / name, text));
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(ChangedFilesTest, WhatTheProjectIncludesIsFoundAndNothingElse) {
  const auto found = includedFiles({at("src/main.cu")}, {"-I", at("include")});
  const std::set<fs::path> expected = {at("src/main.cu"), at("src/kernel.cuh"),
                                       at("include/step.h")};
  EXPECT_EQ(found, expected);
}

TEST_F(ChangedFilesTest, AProjectIsTheRepositoryAroundItsFiles) {
  EXPECT_EQ(projectFolder({at("src/main.cu")}),
            fs::path(at("src/main.cu")).parent_path().parent_path());
  EXPECT_TRUE(isBelow(at("include/step.h"), projectFolder({at("src/main.cu")})));
  EXPECT_FALSE(isBelow(folder_.path() / "outside.h", projectFolder({at("src/main.cu")})));
}

TEST_F(ChangedFilesTest, AHeaderThatChangedIsIncludedByCopiesOfTheOthers) {
  const fs::path to = folder_.path() / "changed";
  const auto written = writeChanged({at("src/main.cu")}, {"-I" + at("include")},
                                    {{at("include/step.h"), "int other;\n"}}, to);
  ASSERT_TRUE(written) << written.error().message;
  const fs::path main = written->sources.front();
  EXPECT_EQ(main.string(), to.string() + at("src/main.cu"));
  EXPECT_TRUE(fs::exists(main.parent_path() / "kernel.cuh"));
  const std::vector<std::string> flags = {"-I", to.string() + at("include")};
  EXPECT_EQ(written->flags, flags);
  EXPECT_EQ(readFile(to.string() + at("include/step.h")).value(),
            "#line 1 \"" + at("include/step.h") + "\"\nint other;\n");
}

TEST_F(ChangedFilesTest, AProgramOfWhichOnlySourcesChangedStaysWhereItIs) {
  const auto written = writeChanged({at("src/main.cu"), "other.cpp"}, {},
                                    {{at("src/main.cu"), "\n"}}, folder_.path());
  ASSERT_TRUE(written) << written.error().message;
  const std::vector<std::string> sources = {(folder_.path() / "main.cu").string(), "other.cpp"};
  EXPECT_EQ(written->sources, sources);
}

TEST(HeaderFolders, AreReadFromFlagsOfAllSpellings) {
  const std::vector<fs::path> expected = {"a", "b", "c", "d"};
  EXPECT_EQ(headerFolders({"-I", "a", "-Ib", "-DI=x", "-isystem", "c", "--include-path=d"}),
            expected);
}

} // namespace
} // namespace heddle::driver
