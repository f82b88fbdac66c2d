// SPDX-License-Identifier: Apache-2.0
#include "report/ProfileReport.h"

#include "report/SourceText.h"
#include "report/Table.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::report {
namespace {

using namespace heddle::profile;

BranchProfile branch(const SourceLocation& where, std::uint64_t lanes, std::uint64_t taken,
                     std::uint64_t lost, int targets = 2) {
  BranchProfile result;
  result.site.where = where;
  result.targets = targets;
  result.executions = lanes / 32;
  result.lanes = {taken, lanes - taken};
  result.lostSlots = lost;
  return result;
}

/// 1000 warp-instructions, 32000 slots.
KernelProfile kernel(const std::string& name, std::vector<BranchProfile> branches) {
  KernelProfile result;
  result.kernel = name;
  result.launches = 1;
  result.grid = {512, 1, 1};
  result.block = {128, 1, 1};
  result.warpInstructions = 1000;
  result.branches = std::move(branches);
  result.threadInstructions = 32000 - result.lostToBranches();
  result.seconds = 0.25;
  return result;
}

class ProfileReportTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(path("a.cu"),
                          "line one\n  while (weight > eps) {\n\tif (hit)\n"
                          "  out[x * n + y] = in[y * n + x]; // the classic one, and a "
                          "comment that is far too long to show\n"));
  }
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  SourceLocation at(int line, int column = 1) const { return {path("a.cu"), line, column}; }

  std::string text(std::vector<KernelProfile> kernels, Ending ending = Ending::Complete) const {
    ProgramProfile program;
    program.kernels = std::move(kernels);
    program.ending = ending;
    return profileText(program, {});
  }

  TemporaryFolder folder_ = *TemporaryFolder::make();
};

TEST_F(ProfileReportTest, SpeedupsAreGuesses) {
  ProgramProfile program;
  program.kernels = {kernel("transport", {branch(at(2), 6400, 6208, 3200)})};
  advise::Candidate candidate;
  candidate.rewrite = "regroup";
  candidate.kernel = "another name";
  candidate.kernelId = program.kernels.front().id = "_Z9transport";
  candidate.line = 2;
  candidate.reason = "short";
  const auto shows = [&](const char* what) {
    return profileText(program, {.advice = {candidate}}).find(what) != std::string::npos;
  };
  EXPECT_TRUE(shows("  refuse: short\n"));
  candidate.predictedSpeedup = 0.944;
  EXPECT_TRUE(shows("  ~0.94x  may not pay: short\n"));
  candidate.predictedSpeedup = 1.2;
  candidate.low = 0.91;
  candidate.high = 1.6;
  EXPECT_TRUE(shows("  ~1.20x  may pay: 0.91x to 1.60x\n"));
  candidate.predictedSpeedup = 1.5;
  candidate.applies = true;
  EXPECT_TRUE(shows("  ~1.50x  try\n"));
}

/// A kernel that takes 18.04 us, or 15 to 22.
KernelProfile timedKernel(TimeKind kind) {
  KernelProfile result = kernel("transport", {});
  KernelTiming timing;
  timing.seconds = timing.secondsBy[std::size_t(Bound::Latency)] = 18.04e-6;
  timing.low = 14.7e-6;
  timing.high = 222e-6;
  timing.intervalFrom = "H200 SXM";
  timing.kind = kind;
  result.timing = timing;
  return result;
}

TEST_F(ProfileReportTest, ATimeHasAnInterval) {
  ProgramProfile program;
  program.device = "H200 SXM";
  program.kernels = {timedKernel(TimeKind::Latency)};
  EXPECT_NE(profileText(program, {})
                .find("  estimated time   18 us (15 to 220) on H200 SXM, bound by latency\n"),
            std::string::npos);
  EXPECT_EQ(profileText(program, {}).find("measured"), std::string::npos);
  program.device = "P100";
  EXPECT_NE(profileText(program, {})
                .find("18 us (15 to 220) on P100, bound by latency\n"
                      "                   times of H200 SXM lie like that; "
                      "of P100 none was measured\n"),
            std::string::npos);
}

TEST_F(ProfileReportTest, AFirstTouchHasALineOfItsOwn) {
  ProgramProfile program;
  program.device = "H200 SXM";
  program.kernels = {timedKernel(TimeKind::Latency)};
  EXPECT_EQ(profileText(program, {}).find("first touch"), std::string::npos);
  program.kernels[0].firstTouch = {64 << 20, 6.29e-3, 1.396e-3};
  EXPECT_NE(
      profileText(program, {})
          .find("bound by latency\n  first touch      64 MiB of managed memory: 6.3 ms, not in "
                "the kernel's 18 us (cudaMemPrefetchAsync first: 1.4 ms)\n"),
      std::string::npos);
  program.kernels[0].firstTouch->bytes = 4;
  EXPECT_NE(profileText(program, {}).find("4 bytes of managed memory"), std::string::npos);
}

TEST_F(ProfileReportTest, ATimeOfWhichLittleIsKnownIsRoundedAndSaysWhy) {
  ProgramProfile program;
  program.device = "H200 SXM";
  for (std::size_t i = 0; i < timeKindCount; ++i) {
    program.kernels = {timedKernel(TimeKind(i))};
    const std::string shown = profileText(program, {});
    EXPECT_EQ(shown.find("about 20 us (10 to 200)") != std::string::npos, isPoor(TimeKind(i)));
    EXPECT_EQ(shown.find("a guess: ") != std::string::npos, isPoor(TimeKind(i)));
  }
  program.kernels = {timedKernel(TimeKind::Latency)};
  program.kernels[0].blocks = 512;
  program.kernels[0].timing->sampledBlocks = 4;
  program.kernels[0].timing->spread = 0.3;
  EXPECT_NE(profileText(program, {})
                .find("about 20 us (10 to 200) on H200 SXM, bound by latency; "
                      "it says little: the 4 blocks"),
            std::string::npos);
  program.kernels = {timedKernel(TimeKind::Polling)};
  EXPECT_NE(
      profileText(program, {}).find("bound by latency\n                   a guess: warps poll"),
      std::string::npos);
}

TEST_F(ProfileReportTest, WhatFixHasTriedIsNoGuess) {
  ProgramProfile program;
  program.kernels = {kernel("transport", {branch(at(2), 6400, 6208, 3200)})};
  advise::Candidate candidate{.rewrite = "regroup", .line = 2, .tried = true, .reason = "short"};
  const auto shows = [&](const char* what) {
    return profileText(program, {.advice = {candidate}}).find(what) != std::string::npos;
  };
  candidate.predictedSpeedup = 1.2;
  candidate.low = 0.91;
  EXPECT_TRUE(shows("  1.20x  refuse: short\n"));
  candidate.applies = true;
  EXPECT_TRUE(shows("  1.20x  apply\n"));
}

TEST_F(ProfileReportTest, ALongReasonIsShownWhole) {
  ProgramProfile program;
  program.kernels = {kernel("transport", {branch(at(2), 6400, 6208, 3200)})};
  const std::string words = "one two three four five six seven eight nine ten ";
  const advise::Candidate candidate{
      .rewrite = "schedule-iterations", .line = 2, .reason = words + words + words + "end"};
  const std::string shown = profileText(program, {.advice = {candidate}});
  EXPECT_EQ(shown.find("..."), std::string::npos);
  EXPECT_NE(shown.find("  refuse: one two"), std::string::npos);
  EXPECT_NE(shown.find(" end\n"), std::string::npos);
  for (const std::string_view line : splitText(shown, '\n'))
    EXPECT_LE(displayWidth(line), 100u) << line;
}

TEST_F(ProfileReportTest, OnANarrowTerminalAReasonStandsBelowItsRow) {
  ProgramProfile program;
  program.kernels = {kernel("transport", {branch(at(2), 6400, 6208, 3200)})};
  const std::string words = "one two three four five six seven eight nine ten ";
  const advise::Candidate candidate{.rewrite = "schedule-iterations",
                                    .form = "a form with a name",
                                    .line = 2,
                                    .reason = words + words + "end"};
  setMostColumns(60);
  advise::Candidate pays = candidate;
  pays.applies = true;
  const std::string shown = profileText(program, {.advice = {candidate, pays}});
  setMostColumns(100);
  EXPECT_EQ(shown.find(" \n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("  refuse\n              one two"), std::string::npos) << shown;
  EXPECT_NE(shown.find(" end\n"), std::string::npos) << shown;
}

TEST_F(ProfileReportTest, LaunchesOfManySizesAreNotShownAsOne) {
  ProgramProfile program;
  KernelProfile one = kernel("k", {});
  program.add(0, one);
  program.add(0, one);
  EXPECT_TRUE(profileText(program, {}).starts_with("kernel k <<<512,128>>> x 2 launches   "));
  one.grid = {3, 1, 1};
  program.add(0, one);
  EXPECT_TRUE(
      profileText(program, {}).starts_with("kernel k <<<3,128>>> and other sizes, 3 launches   "));
}

TEST_F(ProfileReportTest, KernelsOfOneNameHaveTheirOwnAdvice) {
  ProgramProfile program;
  for (const char* id : {"_Z1kPi", "_Z1kPf"}) {
    program.kernels.push_back(kernel("k", {branch(at(2), 6400, 6208, 3200)}));
    program.kernels.back().id = id;
  }
  const std::string shown = profileText(
      program, {.advice = {{.rewrite = "regroup", .kernel = "k", .kernelId = "_Z1kPf"}}});
  EXPECT_EQ(shown.find("regroup"), shown.rfind("regroup"));
  EXPECT_GT(shown.find("regroup"), shown.rfind("kernel k"));
}

TEST_F(ProfileReportTest, BranchesAndLoopsWithTheirSource) {
  KernelProfile one =
      kernel("transport", {branch(at(2), 6400, 6208, 3200), branch(at(3), 6400, 5376, 9600),
                           branch({"", 0, 0}, 320, 160, 320, 0)});
  LoopProfile loop;
  loop.site.where = at(2);
  loop.leave(12, 100);
  loop.leave(311, 10);
  one.loops = {loop};
  EXPECT_EQ(
      text({one}),
      "kernel transport <<<512,128>>>   18.9 k thread-instructions in 0.25 s on this CPU\n"
      "  SIMD efficiency  59.0 %   lost lanes: branches 41.0 %, finished threads 0.0 %, partial "
      "warps 0.0 %\n"
      "\n"
      "    lost  where                                  why\n"
      "  30.0 %  a.cu:3         if (hit)                2 paths, p = 0.16\n"
      "  10.0 %  a.cu:2         while (weight > eps) {  12..311 iterations, mean 39.2\n"
      "   1.0 %  unknown place                          call through a pointer\n");
}

/// A line by which so many used lane slots came.
LineProfile executed(const SourceLocation& where, std::uint64_t used, std::uint64_t off) {
  LineProfile line;
  line.site.where = where;
  line.warpInstructions = used / 32;
  line.used = used;
  line.switchedOff = off;
  return line;
}

TEST_F(ProfileReportTest, LanesThatAreSwitchedOffByBranchAndLine) {
  KernelProfile one =
      kernel("transport", {branch(at(2), 6400, 6208, 3200), branch(at(3), 6400, 5376, 0),
                           branch(at(4), 6400, 5376, 0)});
  one.lostToSequences = 800;
  one.threadInstructions = 28000;
  one.switchedOff = 2800;
  one.branches[1].switchedOff = 1400;
  one.branches[2].switchedOff = 200; // not worth a row
  one.lines = {executed(at(1), 10000, 0), executed(at(2), 16000, 1700),
               executed(at(3, 5), 1000, 1000), executed(at(3, 9), 1000, 100)};
  ASSERT_TRUE(one.addsUp());
  EXPECT_EQ(text({one}),
            "kernel transport <<<512,128>>>   28 k thread-instructions in 0.25 s on this CPU\n"
            "  SIMD efficiency  87.5 %   lost lanes: branches 10.0 %, finished threads 0.0 %, "
            "partial warps 0.0 %\n"
            "                   and sequences 2.5 %: lanes that are off inside a division, an "
            "atomic or the like\n"
            "  switched off     10.0 %   of the lanes at work, by predicates: of 28.0 a warp 25.2 "
            "are on\n"
            "\n"
            "    lost    off  where                           why\n"
            "  10.0 %  0.0 %  a.cu:2  while (weight > eps) {  2 paths, p = 0.03\n"
            "   0.0 %  5.0 %  a.cu:3  if (hit)                2 paths, p = 0.16\n"
            "\n"
            "  switched off  6.1 %  a.cu:2  while (weight > eps) {  10.6 % of its lanes\n"
            "                3.9 %  a.cu:3  if (hit)                55.0 % of its lanes\n");
}

TEST_F(ProfileReportTest, FewSwitchedOffLanesAreOneNumber) {
  KernelProfile one = kernel("k", {branch(at(2), 6400, 6208, 3200)});
  const std::string unknown = text({one});
  EXPECT_EQ(unknown.find("switched off"), std::string::npos);
  one.switchedOff = 0;
  EXPECT_NE(text({one}).find("  switched off     0.0 %   of the lanes at work, by predicates: of "
                             "28.8 a warp 28.8 are on\n"),
            std::string::npos);
  one.switchedOff = one.branches[0].switchedOff = 280; // below 1 % of the branch, 2 % of all
  one.lines = {executed(at(3), one.threadInstructions, 280)};
  const std::string shown = text({one});
  EXPECT_EQ(shown.substr(shown.find("\n\n")), unknown.substr(unknown.find("\n\n"))) << shown;
}

TEST_F(ProfileReportTest, CallsOfOneFunctionAreOneRow) {
  std::vector<BranchProfile> branches;
  for (int call = 0; call < 3; ++call) {
    branches.push_back(branch(at(3), 3200, 800, 1000));
    branches.back().site.inlinedAt = {at(10 + call)};
  }
  const std::string shown = text({kernel("k", branches)});
  EXPECT_NE(
      shown.find("9.4 %  a.cu:3  if (hit)  2 paths, p = 0.25  via a.cu:10, a.cu:11 and 1 more\n"),
      std::string::npos)
      << shown;
}

TEST_F(ProfileReportTest, BranchesOfOneLineShowTheirColumns) {
  const std::string shown =
      text({kernel("k", {branch(at(3, 5), 3200, 800, 1000), branch(at(3, 9), 3200, 80, 100)})});
  EXPECT_NE(shown.find("a.cu:3:5"), std::string::npos);
  EXPECT_NE(shown.find("a.cu:3:9"), std::string::npos);
}

TEST_F(ProfileReportTest, MemoryOnlyWhereItIsNotable) {
  KernelProfile one = kernel("transpose", {});
  const Site site{at(4), "transpose", {}};
  one.accesses = {{{10, 320, 40, 40}, site, AccessKind::Load, MemorySpace::Global, 4},
                  {{10, 320, 320, 40}, site, AccessKind::Store, MemorySpace::Global, 4},
                  {{10, 320, 20, 20}, site, AccessKind::Load, MemorySpace::Shared, 8},
                  {{10, 320, 45, 10}, site, AccessKind::Store, MemorySpace::Shared, 4},
                  {{10, 320, 320, 40}, site, AccessKind::Load, MemorySpace::Local, 4}};
  EXPECT_EQ(
      text({one}).substr(text({one}).find("\n\n")),
      "\n\n  memory  a.cu:4  out[x * n + y] = in[y * n + x]; // the c...  32 sectors a request, 4 "
      "would do\n"
      "          a.cu:4  out[x * n + y] = in[y * n + x]; // the c...  4.5 passes over the banks, 1 "
      "would do\n");
}

TEST_F(ProfileReportTest, NeverWiderThanItsColumns) {
  std::vector<BranchProfile> branches;
  for (int column = 0; column < 20; ++column) {
    branches.push_back(branch(at(4, column), 3200, 800, std::uint64_t(100 + column)));
    for (int call = 1; call < 4; ++call)
      branches.back().site.inlinedAt = {at(1000 + call)};
  }
  const std::string shown = text({kernel("k", branches)});
  for (const std::string_view line : splitText(shown, '\n'))
    EXPECT_LE(displayWidth(line), 100u) << line;
  EXPECT_NE(shown.find("  and 10 more branches: --top "), std::string::npos);
  EXPECT_LE(std::ranges::count(shown, '\n'), 30);
}

TEST_F(ProfileReportTest, TheMostExpensiveKernelsFirst) {
  std::vector<KernelProfile> kernels;
  for (int i = 0; i < 7; ++i) {
    kernels.push_back(kernel("k" + std::to_string(i), {}));
    kernels.back().warpInstructions = std::uint64_t(i + 1);
    kernels.back().threadInstructions = kernels.back().slots();
    kernels.back().launches = std::uint64_t(i + 1);
  }
  const std::string shown = text(kernels);
  EXPECT_TRUE(shown.starts_with("kernel k6 <<<512,128>>> x 7 launches   224 thread-instructions"));
  EXPECT_TRUE(shown.ends_with("\nand 2 more kernels: --kernels 7\n"));
  EXPECT_EQ(shown.find("kernel k1"), std::string::npos);
}

TEST_F(ProfileReportTest, SaysWhatItLacks) {
  EXPECT_EQ(text({}), "no kernel was launched\n");
  EXPECT_TRUE(text({kernel("k", {})}, Ending::Fault)
                  .starts_with("partial: a fault stopped the run; this is what ran until then\n"));
  EXPECT_TRUE(text({}, Ending::Interrupted).starts_with("partial: the run was interrupted"));
}

TEST(SourceText, IsCutBetweenLetters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 6), "\u00e4\u00e4\u00e4...");
}

} // namespace
} // namespace heddle::report
