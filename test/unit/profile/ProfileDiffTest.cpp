// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileDiff.h"
#include "profile/DiffCondition.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

BranchProfile branchAt(int line, std::uint64_t lost, const std::string& function = "k") {
  BranchProfile branch;
  branch.site = {{"a.cu", line, 3}, function, {}};
  branch.lostSlots = lost;
  return branch;
}

/// A kernel of 100 warp-instructions.
KernelProfile kernelOf(std::vector<BranchProfile> branches, const std::string& name = "k",
                       const std::string& id = "_Z1kv") {
  KernelProfile kernel;
  kernel.kernel = name;
  kernel.id = id;
  kernel.warpInstructions = 100;
  kernel.branches = std::move(branches);
  kernel.threadInstructions = 3200 - kernel.lostToBranches();
  return kernel;
}

ProgramProfile programOf(std::vector<KernelProfile> kernels, std::vector<LineText> lines = {}) {
  ProgramProfile program;
  program.kernels = std::move(kernels);
  program.lines = std::move(lines);
  return program;
}

/// "21>24" for each pair, "21>" for a branch that is gone, ">24" for a new one.
std::string pairsText(const ProgramProfile& before, const ProgramProfile& after) {
  std::string text;
  for (const KernelPair& pair : pairKernels(before, after))
    for (const BranchPair& branch : pair.branches) {
      text += text.empty() ? "" : " ";
      text += branch.before != nullptr ? std::to_string(branch.before->site.where.line) : "";
      text += ">";
      text += branch.after != nullptr ? std::to_string(branch.after->site.where.line) : "";
    }
  return text;
}

TEST(ProfileDiff, LinesAreFoundByTheirText) {
  const ProgramProfile before = programOf({kernelOf({branchAt(5, 10), branchAt(9, 20)})},
                                          {{"a.cu", 5, "if (x)"}, {"a.cu", 9, "while (y) {"}});
  const ProgramProfile after =
      programOf({kernelOf({branchAt(7, 3), branchAt(11, 10), branchAt(15, 20)})},
                {{"a.cu", 7, "if (fresh)"}, {"a.cu", 11, "if (x)"}, {"a.cu", 15, "while (y) {"}});
  EXPECT_EQ(pairsText(before, after), ">7 5>11 9>15");
  EXPECT_EQ(pairsText(after, before), "7> 11>5 15>9");
}

TEST(ProfileDiff, ALineThatWasChangedWhereItStandsIsAPair) {
  const ProgramProfile before =
      programOf({kernelOf({branchAt(5, 1), branchAt(9, 1), branchAt(12, 1)})},
                {{"a.cu", 5, "if (x)"}, {"a.cu", 9, "if (y > 1)"}, {"a.cu", 12, "if (z)"}});
  const ProgramProfile after =
      programOf({kernelOf({branchAt(5, 1), branchAt(9, 1), branchAt(12, 1)})},
                {{"a.cu", 5, "if (x)"}, {"a.cu", 9, "if (y > 2)"}, {"a.cu", 12, "if (z)"}});
  EXPECT_EQ(pairsText(before, after), "5>5 9>9 12>12");
}

TEST(ProfileDiff, WithoutTextsThePlaceDecides) {
  const ProgramProfile before = programOf({kernelOf({branchAt(5, 1), branchAt(9, 1, "other")})});
  const ProgramProfile after = programOf({kernelOf({branchAt(5, 1), branchAt(10, 1)})});
  EXPECT_EQ(pairsText(before, after), "5>5 9> >10") << "another function";
}

TEST(ProfileDiff, KernelsByIdThenByName) {
  const ProgramProfile before =
      programOf({kernelOf({}, "k", "_Z1kv"), kernelOf({}, "m", "_Z1mi"), kernelOf({}, "old", "o")});
  const ProgramProfile after =
      programOf({kernelOf({}, "m", "_Z1mf"), kernelOf({}, "k", "_Z1kv"), kernelOf({}, "new", "n")});
  const std::vector<KernelPair> pairs = pairKernels(before, after);
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_EQ(pairs[0].before, &before.kernels[1]);
  EXPECT_EQ(pairs[1].before, &before.kernels[0]);
  EXPECT_EQ(pairs[2].before, nullptr);
  EXPECT_EQ(pairs[3].before, &before.kernels[2]);
  EXPECT_EQ(pairs[3].after, nullptr);
}

LineProfile lineAt(int number, std::uint64_t used, std::uint64_t off, int call = 0) {
  LineProfile line;
  line.used = used;
  line.switchedOff = off;
  line.site.where = {"a.cu", number, 0};
  line.site.function = "k";
  if (call != 0)
    line.site.inlinedAt = {{"a.cu", call, 1}};
  return line;
}

/// A kernel that uses all its lanes in these lines.
KernelProfile predicatedKernel(std::vector<LineProfile> lines) {
  KernelProfile kernel = kernelOf({});
  kernel.switchedOff = 0;
  for (const LineProfile& line : lines)
    *kernel.switchedOff += line.switchedOff;
  kernel.lines = std::move(lines);
  return kernel;
}

TEST(ProfileDiff, LinesOfMachineCodeArePairedWhereverTheyMove) {
  const ProgramProfile before = programOf(
      {predicatedKernel({lineAt(5, 1000, 100, 20), lineAt(5, 600, 60, 30), lineAt(9, 1600, 0)})},
      {{"a.cu", 5, "x = -x;"}, {"a.cu", 9, "y = x;"}});
  const ProgramProfile after =
      programOf({predicatedKernel({lineAt(7, 800, 8), lineAt(11, 2400, 9)})},
                {{"a.cu", 7, "x = -x;"}, {"a.cu", 11, "fresh();"}});
  const KernelPair pair = pairKernels(before, after).front();
  ASSERT_EQ(pair.lines.size(), 2u);
  EXPECT_EQ(pair.lines[0].before->line, 5);
  EXPECT_EQ(pair.lines[0].after->line, 7);
  EXPECT_EQ(pair.lines[0].was.used, 1600u) << "from both calls";
  EXPECT_EQ(pair.lines[0].was.switchedOff, 160u);
  EXPECT_EQ(pair.lines[0].is.switchedOff, 8u);
  EXPECT_EQ(pair.lines[1].is.switchedOff, 9u);
}

TEST(ProfileDiff, SwitchedOffLanesThatOneDoesNotKnowAreNoChange) {
  const ProgramProfile known = programOf({predicatedKernel({lineAt(5, 3200, 320)})});
  const ProgramProfile unknown = programOf({kernelOf({})});
  const auto holds = [](const char* text, const KernelPair& pair) {
    return parseDiffCondition(text)->holdsFor(pair);
  };
  const KernelPair fresh = pairKernels(unknown, known).front();
  EXPECT_TRUE(fresh.lines.empty());
  EXPECT_FALSE(fresh.knowsSwitchedOff());
  EXPECT_FALSE(holds("switched-off>0", fresh));
  const ProgramProfile less = programOf({predicatedKernel({lineAt(5, 3200, 32)})});
  EXPECT_TRUE(holds("switched-off>8.9%", pairKernels(less, known).front())) << "points";
  EXPECT_FALSE(holds("switched-off>9.1%", pairKernels(less, known).front()));
}

TEST(DiffCondition, IsParsed) {
  const auto points = parseDiffCondition("efficiency < -2%");
  ASSERT_TRUE(points) << points.error().message;
  EXPECT_EQ(points->metric, Metric::Efficiency);
  EXPECT_FALSE(points->isAbove);
  EXPECT_EQ(points->bound, -2);
  EXPECT_TRUE(points->isPercent);
  const auto count = parseDiffCondition("registers>+8");
  ASSERT_TRUE(count);
  EXPECT_EQ(count->bound, 8);
  EXPECT_FALSE(count->isPercent);
  for (const char* bad :
       {"", "efficiency", "efficiency<", "efficiency<x%", "speed>1", "<2", "time>%"})
    EXPECT_FALSE(parseDiffCondition(bad)) << bad;
  EXPECT_NE(parseDiffCondition("efficiencies<1").error().message.find("efficiency"),
            std::string::npos);
}

TEST(DiffCondition, MeasuresPointsOfSharesAndPartsOfCounts) {
  const ProgramProfile before = programOf({kernelOf({branchAt(5, 320)})}); // 90 %
  const ProgramProfile after = programOf({kernelOf({branchAt(5, 384)})});  // 88 %
  const KernelPair pair = pairKernels(before, after).front();
  const auto holds = [&](const char* text) { return parseDiffCondition(text)->holdsFor(pair); };
  EXPECT_TRUE(holds("efficiency<-1.9%"));
  EXPECT_FALSE(holds("efficiency<-2.1%"));
  EXPECT_TRUE(holds("lost>19%"));
  EXPECT_FALSE(holds("lost>21%"));
  EXPECT_TRUE(holds("lost>63"));
  EXPECT_FALSE(holds("lost>64"));
  EXPECT_FALSE(holds("time>0")) << "it is not known";
  EXPECT_FALSE(holds("warp-instructions>0%"));
}

TEST(DiffCondition, WhatWasNothingHasGrownByMoreThanAnyPart) {
  const ProgramProfile before = programOf({kernelOf({branchAt(5, 0)})});
  const ProgramProfile after = programOf({kernelOf({branchAt(5, 1)})});
  EXPECT_TRUE(parseDiffCondition("lost>1000%")->holdsFor(pairKernels(before, after).front()));
  EXPECT_FALSE(parseDiffCondition("lost>0%")->holdsFor(pairKernels(before, before).front()));
}

} // namespace
} // namespace heddle::profile
