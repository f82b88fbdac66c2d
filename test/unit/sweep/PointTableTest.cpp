// SPDX-License-Identifier: Apache-2.0
#include "sweep/PointTable.h"
#include "sweep/SweepLock.h"
#include "sweep/WorkerMessages.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace heddle::sweep {
namespace {

namespace fs = std::filesystem;

class PointTableTest : public ::testing::Test {
protected:
  PointTableTest()
      : folder_(fs::temp_directory_path() / fmt::format("heddle-points-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~PointTableTest() override { fs::remove_all(folder_); }

  static Point pointOf(const std::string& value) {
    return {.inputs = {{"p", value}}, .command = {"split", value}, .key = value};
  }

  fs::path folder_;
  fs::path file_ = folder_ / "a.db";
};

TEST_F(PointTableTest, GoesOnWhereItWas) {
  {
    auto table = PointTable::open(file_);
    ASSERT_TRUE(table) << table.error().message;
    ASSERT_TRUE(table->admit({pointOf("a"), pointOf("b"), pointOf("c")}, "{}", "1"));
    ASSERT_TRUE(table->record({.id = 1, .done = true, .outputs = {{"x", 2}}, .version = "1"}));
    ASSERT_TRUE(table->record({.id = 2, .message = "no"}));
  }
  auto table = PointTable::open(file_);
  ASSERT_TRUE(table);
  ASSERT_TRUE(table->admit({pointOf("d"), pointOf("b"), pointOf("a")}, "{}", "2"));
  const auto waiting = table->waiting();
  ASSERT_TRUE(waiting);
  ASSERT_EQ(waiting->size(), 1u);
  EXPECT_EQ(waiting->front().command, (std::vector<std::string>{"split", "d"}));
  const auto rows = table->rows();
  ASSERT_EQ(rows->size(), 3u); // c is no longer wanted
  EXPECT_EQ((*rows)[1].status, "failed");
  EXPECT_EQ((*rows)[2].status, "done");
  EXPECT_EQ((*rows)[2].result.outputs["x"], 2);
  EXPECT_EQ((*rows)[2].result.version, "1");
  ASSERT_TRUE(table->retryFailed());
  EXPECT_EQ(table->waiting()->size(), 2u);
}

TEST_F(PointTableTest, TheFirstResultStays) {
  auto table = PointTable::open(file_);
  ASSERT_TRUE(table->admit({pointOf("a")}, "{}", "1"));
  ASSERT_TRUE(table->record({.id = 1, .done = true, .seconds = 1}));
  ASSERT_TRUE(table->record({.id = 1, .done = true, .seconds = 2}));
  const auto rows = table->rows();
  EXPECT_EQ(rows->front().result.seconds, 1);
  EXPECT_EQ(rows->front().runs, 1);
}

TEST_F(PointTableTest, OneSweepHasTheFile) {
  const auto first = SweepLock::take(file_);
  ASSERT_TRUE(first);
  EXPECT_EQ(SweepLock::take(file_).error().message,
            "another sweep works on " + file_.string() + "; wait for it, or end it");
}

TEST(WorkerMessages, ComeBackAsTheyWere) {
  const PointResult result{.id = 7,
                           .done = true,
                           .message = "a \"b\"\n",
                           .outputs = {{"x", 0.1}},
                           .seconds = 0.25,
                           .started = "now",
                           .version = "1",
                           .host = "here"};
  const auto back = decode(encode({.kind = "result", .result = result}));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->result.message, result.message);
  EXPECT_EQ(back->result.outputs, result.outputs);
  EXPECT_EQ(back->result.seconds, 0.25);
  const auto task = decode(encode({.kind = "task", .task = {3, {"run", "a b"}, 1.5}}));
  EXPECT_EQ(task->task.command, (std::vector<std::string>{"run", "a b"}));
  EXPECT_EQ(task->task.limit, 1.5);
  EXPECT_FALSE(decode("{\"kind\": \"result\"}"));
  EXPECT_FALSE(decode("nonsense"));
}

} // namespace
} // namespace heddle::sweep
