// SPDX-License-Identifier: Apache-2.0
#include "cudart/FileCopies.h"

#include "profile/WrittenFiles.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

namespace fs = std::filesystem;
using Change = FileCopies::Change;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A user's folder and a trial's, neither of them a temporary one of ours.
class FileCopiesTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "files-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
    user_ = root_ / "user";
    fs::create_directories(user_);
    fs::create_directories(root_ / "trial/files");
    copies_.emplace((root_ / "trial/files").string());
  }
  void TearDown() override { fs::remove_all(root_); }

  FileCopies::Place toRead(const fs::path& path) {
    return copies_->forReading(AT_FDCWD, path.c_str());
  }
  FileCopies::Place toWrite(const fs::path& path, Change change = Change::Empty) {
    return copies_->forWriting(AT_FDCWD, path.c_str(), change, true);
  }
  profile::WrittenFiles written() { return profile::listWritten(root_ / "trial/files", user_); }

  fs::path root_, user_;
  std::optional<FileCopies> copies_;
};

TEST_F(FileCopiesTest, WhatIsWrittenIsACopyAndReadFromThenOn) {
  write(user_ / "a", "mine");
  EXPECT_FALSE(toRead(user_ / "a").isCopy);
  const auto place = toWrite(user_ / "a", Change::Keep);
  ASSERT_TRUE(place.isCopy);
  EXPECT_EQ(contentOf(place.path), "mine");
  write(place.path, "new");
  EXPECT_EQ(toRead(user_ / "a").path, place.path);
  EXPECT_EQ(contentOf(user_ / "a"), "mine");
  EXPECT_EQ(toWrite(user_ / "a", Change::Keep).path, place.path);
  ASSERT_EQ(written().size(), 1U);
  EXPECT_EQ(contentOf(written().at("a")), "new");
}

TEST_F(FileCopiesTest, AnEmptiedFileIsNotCopied) {
  write(user_ / "a", "mine");
  chmod((user_ / "a").c_str(), 0640);
  const auto place = toWrite(user_ / "a");
  EXPECT_EQ(contentOf(place.path), "");
  struct stat state = {};
  stat(place.path.c_str(), &state);
  EXPECT_EQ(state.st_mode & 07777U, 0640U);
}

TEST_F(FileCopiesTest, OnePathHasOneCopyWhateverItsSpelling) {
  fs::create_directory(user_ / "d");
  fs::create_directory_symlink(user_ / "d", user_ / "link");
  const std::string copy = toWrite(user_ / "d/a").path;
  EXPECT_EQ(toWrite(user_ / "link/a").path, copy);
  EXPECT_EQ(toWrite(user_ / "d/../d/./a").path, copy);
  const int folder = open((user_ / "d").c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(copies_->forWriting(folder, "a", Change::Empty, true).path, copy);
  close(folder);
  write(user_ / "d/b", "");
  fs::create_symlink(user_ / "d/b", user_ / "toB");
  EXPECT_EQ(toWrite(user_ / "toB").path, toWrite(user_ / "d/b").path);
}

TEST_F(FileCopiesTest, WhatIsNotAFileOfTheUsersIsLeftAlone) {
  EXPECT_FALSE(toWrite("/dev/null").isCopy);
  EXPECT_FALSE(toWrite("/proc/self/comm").isCopy);
  EXPECT_FALSE(toWrite(root_ / "trial/record").isCopy);
  EXPECT_FALSE(toWrite(user_).isCopy);
  EXPECT_FALSE(toWrite(user_ / "missing/a").isCopy) << "the system says that there is no folder";
  const auto own = TemporaryFolder::make();
  EXPECT_FALSE(toWrite(own->path() / "a").isCopy);
  mkfifo((user_ / "pipe").c_str(), 0600);
  EXPECT_FALSE(toWrite(user_ / "pipe").isCopy);
}

TEST_F(FileCopiesTest, ARemovedFileIsGoneForTheProgram) {
  write(user_ / "a", "mine");
  const std::string name = (user_ / "a").string();
  EXPECT_EQ(copies_->remove(AT_FDCWD, name.c_str(), true).error, ENOTDIR);
  const auto outcome = copies_->remove(AT_FDCWD, name.c_str(), false);
  EXPECT_TRUE(outcome.isOurs);
  EXPECT_EQ(outcome.error, 0);
  EXPECT_EQ(toRead(name).error, ENOENT);
  EXPECT_EQ(copies_->remove(AT_FDCWD, name.c_str(), false).error, ENOENT);
  EXPECT_EQ(copies_->forWriting(AT_FDCWD, name.c_str(), Change::Keep, false).error, ENOENT);
  EXPECT_EQ(written(), (profile::WrittenFiles{{"a", {}}}));
  write(toWrite(name).path, "again");
  EXPECT_EQ(contentOf(toRead(name).path), "again");
  EXPECT_EQ(contentOf(name), "mine");
}

TEST_F(FileCopiesTest, RenamedFilesAreCopies) {
  write(user_ / "a", "mine");
  const std::string from = (user_ / "a").string(), to = (user_ / "b").string();
  EXPECT_EQ(copies_->rename(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str()).error, 0);
  EXPECT_EQ(toRead(from).error, ENOENT);
  EXPECT_EQ(contentOf(toRead(to).path), "mine");
  EXPECT_TRUE(fs::exists(from));
  EXPECT_FALSE(fs::exists(to));
  const std::string folder = user_.string();
  EXPECT_EQ(copies_->rename(AT_FDCWD, folder.c_str(), AT_FDCWD, (folder + "2").c_str()).error,
            EXDEV)
      << "a folder of the user's would have to be copied";
}

TEST_F(FileCopiesTest, NewFoldersAreCopiesToo) {
  const std::string name = (user_ / "d").string();
  const auto place = copies_->forNewFolder(AT_FDCWD, name.c_str());
  ASSERT_TRUE(place.isCopy);
  ASSERT_EQ(place.error, 0);
  fs::create_directory(place.path);
  EXPECT_EQ(toRead(name).path, place.path);
  write(toWrite(user_ / "d/a").path, "x");
  EXPECT_EQ(contentOf(written().at("d/a")), "x");
  EXPECT_FALSE(fs::exists(name));
}

} // namespace
} // namespace heddle::cudart
