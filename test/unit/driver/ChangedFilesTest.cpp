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
  const auto found =
      includedFiles({.files = {at("src/main.cu")}, .flags = {.common = {"-I", at("include")}}},
                    at("src/main.cu"));
  const std::set<fs::path> expected = {at("src/main.cu"), at("src/kernel.cuh"),
                                       at("include/step.h")};
  EXPECT_EQ(found, expected);
}

TEST_F(ChangedFilesTest, AProjectIsTheRepositoryAroundItsFiles) {
  const fs::path found = projectFolder({.files = {at("src/main.cu")}});
  EXPECT_EQ(found, fs::path(at("src/main.cu")).parent_path().parent_path());
  EXPECT_TRUE(isBelow(at("include/step.h"), found));
  EXPECT_FALSE(isBelow(folder_.path() / "outside.h", found));
  EXPECT_EQ(projectFolder({.files = {at("src/main.cu")}, .root = "/elsewhere"}), "/elsewhere");
}

TEST_F(ChangedFilesTest, AHeaderThatChangedIsIncludedByCopiesOfTheOthers) {
  const fs::path to = folder_.path() / "changed";
  write("src/other.cpp", "int other;\n");
  const auto written = writeChanged({.files = {at("src/main.cu"), at("src/other.cpp")},
                                     .flags = {.common = {"-I" + at("include")}}},
                                    {{at("include/step.h"), "int other;\n"}}, to);
  ASSERT_TRUE(written) << written.error().message;
  const fs::path copies = to / "files";
  const fs::path main = written->files.front();
  EXPECT_EQ(main.string(), copies.string() + at("src/main.cu"));
  EXPECT_TRUE(fs::exists(main.parent_path() / "kernel.cuh"));
  const std::string beside = fs::path(at("src/main.cu")).parent_path().string();
  const std::vector<std::string> flags = {
      "-I", copies.string() + at("include"), "-I" + at("include"), "-iquote", beside, "-I", beside};
  EXPECT_EQ(written->flagsOf(main.string()).common, flags);
  EXPECT_EQ(readFile(copies.string() + at("include/step.h")).value(),
            "#line 1 \"" + at("include/step.h") + "\"\nint other;\n");
  EXPECT_EQ(written->files.back(), at("src/other.cpp")); // which does not include it
}

TEST_F(ChangedFilesTest, AHeaderThatAMacroNamesMayBeIncludedByAnyFile) {
  write("src/other.cu", "#define HEADER \"named.h\"\n#include HEADER\n");
  write("src/named.h", "\n");
  const fs::path to = folder_.path() / "changed";
  const auto written = writeChanged({.files = {at("src/main.cu"), at("src/other.cu")}},
                                    {{at("src/named.h"), "int i;\n"}}, to);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->files[0], (to / "files").string() + at("src/main.cu"));
  EXPECT_EQ(written->files[1], (to / "files").string() + at("src/other.cu"));
}

TEST_F(ChangedFilesTest, AProgramOfWhichOnlySourcesChangedStaysWhereItIs) {
  const fs::path to = folder_.path();
  const frontend::ProgramSpec program{.files = {at("src/main.cu"), "other.cpp"},
                                      .own = {{at("src/main.cu"), {.standard = "c++20"}}}};
  const auto written = writeChanged(program, {{at("src/main.cu"), "\n"}}, to);
  ASSERT_TRUE(written) << written.error().message;
  const std::vector<std::string> files = {(to / "files").string() + at("src/main.cu"), "other.cpp"};
  EXPECT_EQ(written->files, files);
  EXPECT_FALSE(fs::exists(to / "files" / "project/src/kernel.cuh"));
  EXPECT_EQ(written->flagsOf(files.front()).standard, "c++20"); // its own, wherever it lies
}

TEST(HeaderFolders, AreReadFromFlagsOfAllSpellings) {
  const std::vector<fs::path> expected = {"a", "b", "c", "d"};
  EXPECT_EQ(headerFolders({"-I", "a", "-Ib", "-DI=x", "-isystem", "c", "--include-path=d"}),
            expected);
}

} // namespace
} // namespace heddle::driver
