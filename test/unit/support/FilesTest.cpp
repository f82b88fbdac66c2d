// SPDX-License-Identifier: Apache-2.0
#include "support/Files.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
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

TEST_F(FilesTest, KeepsModeAndLinks) {
  const fs::path file = folder_ / "a.txt", link = folder_ / "link";
  ASSERT_TRUE(writeFile(file, "first"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.txt", link);
  ASSERT_TRUE(writeFile(link, "second"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*readFile(file), "second");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("new.txt", folder_ / "dangling");
  ASSERT_TRUE(writeFile(folder_ / "dangling", "third"));
  EXPECT_EQ(*readFile(folder_ / "new.txt"), "third");
}

TEST_F(FilesTest, KeepsBothNamesOfAFile) {
  ASSERT_TRUE(writeFile(folder_ / "a.txt", "first, and longer"));
  fs::create_hard_link(folder_ / "a.txt", folder_ / "b.txt");
  ASSERT_TRUE(writeFile(folder_ / "a.txt", "second"));
  EXPECT_EQ(*readFile(folder_ / "b.txt"), "second");
}

TEST_F(FilesTest, WritesSeveralOrNone) {
  ASSERT_TRUE(writeFile(folder_ / "a.txt", "old"));
  EXPECT_FALSE(writeFiles({{folder_ / "a.txt", "new"}, {folder_ / "none" / "b.txt", "new"}}));
  EXPECT_EQ(*readFile(folder_ / "a.txt"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(FilesTest, ReadsNothingThatMayNotEnd) {
  EXPECT_EQ(readFile("/dev/zero").error().message, "cannot read /dev/zero: it is a device");
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(readFile(pipe).error().message, "cannot read " + pipe + ": it is a pipe");
}

TEST_F(FilesTest, ReportsAFullDisk) {
  EXPECT_EQ(writeFile("/dev/full", std::string(100'000, 'x')).error().message,
            "cannot write /dev/full: No space left on device");
}

} // namespace
} // namespace heddle
