// SPDX-License-Identifier: Apache-2.0
#include "profile/RecordedText.h"

#include "profile/ProfileJson.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

TEST(RecordedText, ReadsWhatItWrites) {
  const Stretch stretch = {{0, 3}, {17, 12}};
  EXPECT_EQ(stretchText(stretch), "0:3 17:12");
  EXPECT_EQ(readStretch(stretchText(stretch)), stretch);
  const LaneOwners owners{.active = 0xffff, .finished = 0, .lost = {{3, 0xffff0000}}};
  EXPECT_EQ(ownersText(owners), "0000ffff 00000000 3:ffff0000");
  EXPECT_EQ(readOwners(ownersText(owners)), owners);
  const auto runs = readRuns("0 0 1 2 1 40");
  ASSERT_TRUE(runs);
  EXPECT_EQ(runsText(*runs), "0 0 1 2 1 40");
  EXPECT_TRUE(readRuns("")->empty());
}

TEST(RecordedText, RefusesEverythingElse) {
  for (const char* bad : {"0", "0:", ":1", "0:1 ", " 0:1", "0:1,1:1", "-1:2", "0:99999999999"})
    EXPECT_FALSE(readStretch(bad)) << bad;
  for (const char* bad : {"", "ffff 0", "0000ffff", "0000ffff 00000000 ", "0000ffff 00000000 3",
                          "0000ffff 00000000 3:ff", "0000FFFF 0000000g"})
    EXPECT_FALSE(readOwners(bad)) << bad;
  for (const char* bad : {"0", "0 0", "0 0 1 ", "0 0 1 2", "a b c"})
    EXPECT_FALSE(readRuns(bad)) << bad;
  EXPECT_FALSE(readLanes("fff"));
}

/// One warp: all lanes run 10 instructions, then 16 of them 5, twice.
KernelProfile recordedKernel() {
  KernelProfile kernel;
  kernel.kernel = kernel.id = "k";
  kernel.launches = 1;
  kernel.warpInstructions = 20;
  kernel.threadInstructions = 10 * 32 + 10 * 16;
  kernel.branches.emplace_back().lostSlots = 10 * 16;
  kernel.recorded = WarpRecords{
      .warps = 1,
      .places = {{{"a.cu", 1, 0}, "k", {}}},
      .stretches = {{{0, 10}}, {{0, 5}}},
      .recorded = {{.role = RecordedWarp::Role::Slowest,
                    .instructions = 20,
                    .recorded = 20,
                    .owners = {{.active = allLanes}, {.active = 0xffff, .lost = {{0, 0xffff0000}}}},
                    .runs = {{0, 0, 1}, {1, 1, 2}}}}};
  return kernel;
}

std::string documentOf(const KernelProfile& kernel) {
  ProgramProfile program{.device = "x", .reconvergence = "volta"};
  program.kernels = {kernel};
  return writeProfile(program);
}

TEST(RecordedText, AProfileKeepsItsWarps) {
  const auto read = readProfile(documentOf(recordedKernel()), "p.json");
  ASSERT_TRUE(read) << read.error().message;
  const WarpRecords& records = read->kernels.front().recorded.value();
  const RecordedSums sums = sumsOf(records.recorded.front(), records, 1);
  EXPECT_EQ(sums.instructions, 20u);
  EXPECT_EQ(sums.used, 480u);
  EXPECT_EQ(sums.branches.front(), 160u);
}

TEST(RecordedText, WhatDoesNotAddUpIsRefused) {
  const auto complaintOf = [](auto change) {
    KernelProfile kernel = recordedKernel();
    change(*kernel.recorded);
    const auto read = readProfile(documentOf(kernel), "p.json");
    return read ? "" : read.error().message;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(complaintOf([](WarpRecords& all) { all.recorded[0].runs[1].times = 3; }),
                  "its runs tell 25 instructions, not 20 of 20"));
  EXPECT_TRUE(has(complaintOf([](WarpRecords& all) { all.recorded[0].owners[1].active = 0xff; }),
                  "have an owner"));
  EXPECT_TRUE(has(complaintOf([](WarpRecords& all) { all.recorded[0].owners[1].finished = 1; }),
                  "two owners"));
  EXPECT_TRUE(
      has(complaintOf([](WarpRecords& all) { all.recorded[0].owners[1].lost[0].branch = 1; }),
          "branch 1 of 1"));
  EXPECT_TRUE(
      has(complaintOf([](WarpRecords& all) { all.stretches[0][0].place = 5; }), "place 5 of 1"));
  EXPECT_TRUE(has(complaintOf([](WarpRecords& all) { all.recorded[0].runs[0].stretch = 9; }),
                  "stretch 9 of 2"));
}

} // namespace
} // namespace heddle::profile
