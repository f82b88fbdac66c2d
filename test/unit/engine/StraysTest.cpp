// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of memory that a launch lets pass.
#include "EngineFixture.h"

#include <algorithm>

namespace heddle::engine {
namespace {

using profile::AccessKind;
using profile::StraySide;

struct StrayRun {
  LaunchOutcome outcome;
  std::vector<int> data;
};

/// Runs `void k(int* a, int n)` with 8 blocks of 64 threads on 512 elements, and 64 more that the
/// launch does not know.
StrayRun runWith(const std::string& body, bool passes, int jobs = 1) {
  const auto test =
      compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + body + "}");
  EXPECT_TRUE(test) << test.error().message;
  constexpr std::size_t known = 512, hidden = 64;
  StrayRun run{{}, std::vector<int>(known + hidden, 7)};
  DeviceMemory memory;
  memory.add(run.data.data(), known * sizeof(int), "the array");
  LaunchRequest request{.grid = {8, 1, 1}, .block = {64, 1, 1}, .arguments = {}};
  request.arguments.resize(test->kernel->argumentSize());
  int* const begin = run.data.data();
  const int size = known;
  std::memcpy(request.arguments.data(), &begin, sizeof begin);
  std::memcpy(request.arguments.data() + test->kernel->argumentOffsets().at(1), &size, sizeof size);
  LaunchSettings settings;
  settings.letsStraysPass = passes;
  settings.workers = jobs;
  auto outcome = launch(*test->kernel, request, memory, settings);
  EXPECT_TRUE(outcome) << outcome.error().message;
  run.outcome = *std::move(outcome);
  return run;
}

TEST(Strays, AreFaultsThatMayPassWithoutTheSetting) {
  const StrayRun run = runWith("a[i] = a[i + 1];", false);
  ASSERT_TRUE(run.outcome.fault);
  EXPECT_EQ(run.outcome.fault->kind, FaultKind::IllegalAddress);
  EXPECT_TRUE(run.outcome.fault->mayPass);
  EXPECT_TRUE(run.outcome.strays.empty());
}

TEST(Strays, LoadsGetZero) {
  const StrayRun run = runWith("int next = a[i + 1]; __syncthreads(); a[i] = next + 1;", true);
  ASSERT_FALSE(run.outcome.fault) << run.outcome.fault->message;
  EXPECT_EQ(run.data[511], 1);
  EXPECT_EQ(run.data[512], 7);
  ASSERT_EQ(run.outcome.strays.size(), 1U);
  const profile::Stray& stray = run.outcome.strays.front();
  EXPECT_EQ(profile::strayText(stray), "reads 1 element of 4 bytes behind the array, once");
  EXPECT_EQ(stray.block, (std::array{7, 0, 0}));
  EXPECT_EQ(stray.thread, (std::array{63, 0, 0}));
}

TEST(Strays, LoadsOfWholeWarpsGetZero) {
  const StrayRun run = runWith("a[i] = a[n + threadIdx.x % 64] + a[n];", true);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(std::ranges::count(run.data, 0), 512);
  std::uint64_t count = 0;
  for (const profile::Stray& stray : run.outcome.strays)
    count += stray.count;
  EXPECT_EQ(count, 2U * 512);
}

TEST(Strays, StoresAndAtomicsChangeNothing) {
  const StrayRun run = runWith("a[i + 32] = 1; atomicAdd(&a[i + 32], 1);"
                               "a[i] += atomicExch(&a[i + 33], 5) == 0 && i > 480 ? 100 : 0;",
                               true);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(std::count(run.data.begin() + 512, run.data.end(), 7), 64);
  ASSERT_EQ(run.outcome.strays.size(), 3U);
  EXPECT_EQ(run.outcome.strays[0].kind, AccessKind::Store);
  EXPECT_EQ(run.outcome.strays[1].kind, AccessKind::Atomic);
  EXPECT_EQ(run.outcome.strays[0].count, 32U);
  EXPECT_EQ(run.outcome.strays[2].count, 33U);
  EXPECT_EQ(run.outcome.strays[2].reach, 33U * 4);
}

TEST(Strays, CompareAndSwapGetsZero) {
  const StrayRun run = runWith("if (i == 3) a[i] = atomicCAS(&a[n], 7, 8);", true);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(run.data[3], 0);
  EXPECT_EQ(run.data[512], 7);
}

TEST(Strays, SharedMemoryHasAnEnd) {
  const StrayRun run = runWith("__shared__ int s[64]; s[threadIdx.x] = i; __syncthreads();"
                               "s[threadIdx.x + (n - 448)] = 9; __syncthreads();"
                               "a[i] = s[threadIdx.x];",
                               true);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(run.data[70], 70);
  ASSERT_EQ(run.outcome.strays.size(), 1U);
  EXPECT_EQ(profile::strayText(run.outcome.strays.front()),
            "writes up to 64 elements of 4 bytes behind the block's shared memory, 512 times");
}

TEST(Strays, AreTheSameWithAnyJobs) {
  const std::string body = "int sum = 0; for (int j = 0; j < 9; ++j) sum += a[i + j * 8];"
                           "__syncthreads(); a[(i + 7) % n] = sum; a[i - 3] = sum;";
  const StrayRun alone = runWith(body, true, 1);
  const StrayRun together = runWith(body, true, 4);
  ASSERT_FALSE(alone.outcome.fault);
  ASSERT_GE(alone.outcome.strays.size(), 2U);
  ASSERT_EQ(alone.outcome.strays.size(), together.outcome.strays.size());
  for (std::size_t i = 0; i < alone.outcome.strays.size(); ++i) {
    const profile::Stray &one = alone.outcome.strays[i], &other = together.outcome.strays[i];
    EXPECT_EQ(profile::strayText(one), profile::strayText(other));
    EXPECT_EQ(one.where.line, other.where.line);
    EXPECT_EQ(one.where.column, other.where.column);
    EXPECT_EQ(one.block, other.block);
    EXPECT_EQ(one.thread, other.thread);
  }
}

TEST(Strays, WhatAGpuStopsAtIsAFaultStill) {
  for (const std::string body :
       {"if (i == 0) a[(1 << 28) + 5] = 1;", "int* p = n > 0 ? nullptr : a; *p = i;",
        "*reinterpret_cast<int*>(reinterpret_cast<char*>(a) + 4 * n + 1) = i;"}) {
    const StrayRun run = runWith(body, true);
    ASSERT_TRUE(run.outcome.fault) << body;
    EXPECT_FALSE(run.outcome.fault->mayPass);
    EXPECT_TRUE(run.outcome.strays.empty());
  }
}

} // namespace
} // namespace heddle::engine
