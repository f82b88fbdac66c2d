// SPDX-License-Identifier: Apache-2.0
#include "support/Files.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class FilesTest : public ::testing::Test {
protected:
  FilesTest() : folder_(fs::temp_directory_path() / fmt::format("heddle-files-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~FilesTest() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(FilesTest, WritesWholeFilesAndLeavesNothingBeside) {
  ASSERT_TRUE(writeFile(folder_ / "a.txt", "first"));
  ASSERT_TRUE(writeFile(folder_ / "a.txt", "second"));
  EXPECT_EQ(*readFile(folder_ / "a.txt"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(FilesTest, NamesTheFileAndTheReason) {
  const std::string missing = (folder_ / "none" / "a.txt").string();
  EXPECT_EQ(writeFile(missing, "x").error().message,
            "cannot write " + missing + ": No such file or directory");
  EXPECT_EQ(readFile(missing).error().message,
            "cannot read " + missing + ": No such file or directory");
  EXPECT_EQ(readFile(folder_).error().message,
            "cannot read " + folder_.string() + ": it is a folder");
}

TEST_F(FilesTest, ReportsAFullDisk) {
  EXPECT_EQ(writeFile("/dev/full", std::string(100'000, 'x')).error().message,
            "cannot write /dev/full: No space left on device");
}

} // namespace
} // namespace heddle
