// SPDX-License-Identifier: Apache-2.0
#include "frontend/CompileCache.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

class CompileCacheTest : public testing::Test {
protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(writeFile(folder_.path() / name, text));
  }
  Paths files(std::initializer_list<const char*> names) const {
    Paths paths;
    for (const char* name : names)
      paths.push_back(folder_.path() / name);
    return paths;
  }
  static fs::file_time_type later() {
    return fs::file_time_type::clock::now() + std::chrono::seconds(10);
  }

  TemporaryFolder folder_ = *TemporaryFolder::make();
  CompileCache cache_{folder_.path() / "cache"};
};

TEST_F(CompileCacheTest, GivesBackWhatWasStored) {
  write("a.cu", "one");
  write("a.h", "two");
  EXPECT_FALSE(cache_.find("key"));
  const std::string bytes("\0\n\x7f bytes", 9);
  cache_.store("key", {bytes, "a.cu:1:1: warning: x\n"}, files({"a.cu", "a.h"}), later());
  const auto found = cache_.find("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->content, bytes);
  EXPECT_EQ(found->diagnostics, "a.cu:1:1: warning: x\n");
  EXPECT_FALSE(cache_.find("other"));
}

TEST_F(CompileCacheTest, SeesAChangedOrMissingFileWhateverItsDate) {
  write("a.h", "two");
  cache_.store("key", {"x", ""}, files({"a.h"}), later());
  const auto date = fs::last_write_time(folder_.path() / "a.h");
  write("a.h", "TWO");
  fs::last_write_time(folder_.path() / "a.h", date);
  EXPECT_FALSE(cache_.find("key"));
  write("a.h", "two");
  EXPECT_TRUE(cache_.find("key"));
  fs::remove(folder_.path() / "a.h");
  EXPECT_FALSE(cache_.find("key"));
}

TEST_F(CompileCacheTest, KeepsNothingMadeOfAFileThatChangedMeanwhile) {
  const auto started = fs::file_time_type::clock::now() - std::chrono::seconds(5);
  write("a.h", "two");
  cache_.store("key", {"x", ""}, files({"a.h"}), started);
  EXPECT_FALSE(cache_.find("key"));
}

TEST_F(CompileCacheTest, ADamagedEntryIsNone) {
  write("a.h", "two");
  cache_.store("key", {"result", ""}, files({"a.h"}), later());
  const fs::path entry = cache_.folder() / "entries" / "key";
  const std::string text = *readFile(entry);
  for (std::size_t size = 0; size < text.size(); ++size) {
    ASSERT_TRUE(writeFile(entry, text.substr(0, size)));
    EXPECT_FALSE(cache_.find("key")) << size << " bytes";
  }
}

TEST_F(CompileCacheTest, AFlippedBitIsSeenWhereverItIs) {
  write("a.h", "two");
  cache_.store("key", {"result", "printed"}, files({"a.h"}), later());
  const fs::path entry = cache_.folder() / "entries" / "key";
  const std::string text = *readFile(entry);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] = char(flipped[at] ^ 1);
    ASSERT_TRUE(writeFile(entry, flipped));
    EXPECT_FALSE(cache_.find("key")) << "byte " << at;
  }
}

TEST_F(CompileCacheTest, AnotherKeysEntryIsNone) {
  write("a.h", "two");
  cache_.store("one", {"first", ""}, files({"a.h"}), later());
  cache_.store("two", {"second", ""}, files({"a.h"}), later());
  const fs::path entries = cache_.folder() / "entries";
  fs::rename(entries / "one", entries / "two");
  EXPECT_FALSE(cache_.find("two"));
}

TEST_F(CompileCacheTest, ClearingLeavesHeadersThatAreUsed) {
  write("cache/headers/1/a.h", "x");
  {
    const CacheUse use(cache_.folder());
    ASSERT_TRUE(cache_.clear());
    EXPECT_TRUE(fs::exists(cache_.folder() / "headers" / "1" / "a.h"));
  }
  ASSERT_TRUE(cache_.clear());
  EXPECT_FALSE(fs::exists(cache_.folder() / "headers"));
}

TEST_F(CompileCacheTest, TheOldestGoFirst) {
  write("a.h", "two");
  const CompileCache small(folder_.path() / "small", 4000);
  for (int i = 0; i < 8; ++i) {
    const std::string key = "key" + std::to_string(i);
    small.store(key, {std::string(900, 'x'), ""}, files({"a.h"}), later());
    fs::last_write_time(small.folder() / "entries" / key,
                        fs::file_time_type::clock::now() - std::chrono::minutes(10 - i));
    EXPECT_TRUE(small.find("key0")); // used, so young again
  }
  EXPECT_LE(small.state().bytes, 4000u);
  EXPECT_TRUE(small.find("key0"));
  EXPECT_FALSE(small.find("key1"));
  EXPECT_TRUE(small.find("key7"));
}

TEST_F(CompileCacheTest, CountsAndClears) {
  EXPECT_EQ(cache_.state().entries, 0u);
  write("a.h", "two");
  cache_.store("one", {"x", ""}, files({"a.h"}), later());
  cache_.store("two", {"x", ""}, files({"a.h"}), later());
  EXPECT_EQ(cache_.state().entries, 2u);
  EXPECT_GT(cache_.state().bytes, 50u);
  EXPECT_TRUE(cache_.clear());
  EXPECT_EQ(cache_.state().entries, 0u);
  EXPECT_FALSE(cache_.find("one"));
}

TEST_F(CompileCacheTest, SeveralWritersDoNotMix) {
  write("a.h", "two");
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < 4; ++writer)
    threads.emplace_back([&, writer] {
      for (int i = 0; i < 50; ++i) {
        const std::string key = "key" + std::to_string(writer);
        cache_.store(key, {std::string(1000, char('a' + writer)), ""}, files({"a.h"}), later());
        const auto found = cache_.find(key);
        EXPECT_TRUE(found && found->content == std::string(1000, char('a' + writer)));
      }
    });
}

TEST(Dependencies, AsClangWritesThem) {
  EXPECT_EQ(parseDependencies("x.bc: a.cu \\\n  /usr/my\\ own/b.h \\\n  c$$d.h e\\#f.h\n"),
            (Paths{"a.cu", "/usr/my own/b.h", "c$d.h", "e#f.h"}));
  EXPECT_EQ(parseDependencies(""), Paths());
}

} // namespace
} // namespace heddle::frontend
