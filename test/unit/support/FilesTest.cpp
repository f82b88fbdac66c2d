// SPDX-License-Identifier: Apache-2.0
#include "support/Files.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/resource.h>
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

/// A file with two names is written where it stands, and there is no room for the new text.
TEST_F(FilesTest, LeavesTheOldTextWhereTheNewOneHasNoRoom) {
  const fs::path file = folder_ / "a.txt";
  ASSERT_TRUE(writeFile(file, "first"));
  fs::create_hard_link(file, folder_ / "b.txt");
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {.rlim_cur = 10, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = writeFile(file, std::string(100, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, action);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write " + file.string() + ": File too large");
  EXPECT_EQ(*readFile(file), "first");
  ASSERT_TRUE(writeFile(file, "1st"));
  EXPECT_EQ(*readFile(folder_ / "b.txt"), "1st");
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
