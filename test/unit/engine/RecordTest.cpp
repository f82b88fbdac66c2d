// SPDX-License-Identifier: Apache-2.0
//
// Recorded warps agree with the account, which is kept in another way, and are the ones asked for.
#include "EngineFixture.h"

#include "engine/WarpRecorder.h"

#include <algorithm>
#include <numeric>

namespace heddle::engine {
namespace {

constexpr std::chrono::milliseconds atOnce{0};

const char* const parting = R"(
    __device__ __noinline__ int twice(int x) { return x > 40 ? 2 * x : x; }
    extern "C" __global__ void k(int* a, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      int x = a[i];
      for (int t = 0; t < i % 7; ++t) {
        if (x & 1) x = 3 * x + 1; else x /= 2;
        if (x == 77) return;
        if (x % 11 == 3) break;
        x = twice(x);
      }
      switch (i & 3) { case 0: x += a[0]; break; case 1: x *= 5; break; case 2: x ^= 9; break; }
      a[i] = x; })";

/// What all warps that are recorded tell together.
profile::RecordedSums allSums(const profile::WarpRecords& records, std::size_t branches) {
  profile::RecordedSums all;
  all.branches.resize(branches);
  for (const profile::RecordedWarp& warp : records.recorded) {
    const profile::RecordedSums sums = sumsOf(warp, records, branches);
    all.instructions += sums.instructions;
    all.used += sums.used;
    all.finished += sums.finished;
    all.partial += sums.partial;
    for (std::size_t i = 0; i < branches; ++i)
      all.branches[i] += sums.branches[i];
  }
  return all;
}

void expectSame(const profile::RecordedSums& sums, const profile::KernelProfile& profile) {
  EXPECT_EQ(sums.instructions, profile.warpInstructions);
  EXPECT_EQ(sums.used, profile.threadInstructions);
  EXPECT_EQ(sums.finished, profile.lostToFinished);
  EXPECT_EQ(sums.partial, profile.lostToPartial);
  for (std::size_t i = 0; i < profile.branches.size(); ++i)
    EXPECT_EQ(sums.branches[i], profile.branches[i].lostSlots) << i;
}

/// A launch of few warps, all recorded: the sums are the account's.
profile::WarpRecords recordAll(const std::string& source, int grid, int block, int size,
                               LaunchSettings settings = {}) {
  const auto kernel = compileText(source);
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error().message);
  std::vector<int> data(static_cast<std::size_t>(size));
  std::iota(data.begin(), data.end(), 3);
  WarpRecorder recorder(*kernel->kernel, WarpRecorder::mostWarps);
  settings.recorder = &recorder;
  const auto outcome = launchOn(*kernel, data, grid, block, settings);
  EXPECT_TRUE(outcome && !outcome->fault);
  const auto records = recorder.records(atOnce);
  EXPECT_TRUE(records);
  const std::size_t branches = outcome->profile.branches.size();
  EXPECT_EQ(records->recorded.size(), records->warps);
  EXPECT_EQ(faultOf(*records, branches), "");
  expectSame(allSums(*records, branches), outcome->profile);
  return *records;
}

TEST(Record, OneWarpIsTheAccount) {
  const profile::WarpRecords records = recordAll(parting, 1, 32, 32);
  EXPECT_EQ(records.warps, 1u);
  EXPECT_FALSE(records.recorded.front().isCut());
}

TEST(Record, AllWarpsAreTheAccount) {
  recordAll(parting, 5, 72, 5 * 72 - 11);
}

TEST(Record, BarriersVotesAndCallsThroughPointersAddUp) {
  recordAll(R"(
    __device__ int one(int x) { return x + 1; }
    __device__ int two(int x) { return x % 3 ? x * 2 : x; }
    __device__ int (*const ways[])(int) = {one, two};
    extern "C" __global__ void k(int* a, int n) {
      __shared__ int s[64];
      const int t = threadIdx.x;
      s[t] = a[t % n];
      __syncthreads();
      int x = ways[s[63 - t] & 1](t);
      if (__any_sync(0xffffffff, x > 60)) x += __shfl_xor_sync(0xffffffff, x, 3);
      if (t & 1) { x += __ballot_sync(0xaaaaaaaa, x & 2) & 7; __syncwarp(0xaaaaaaaa); }
      for (int r = 0; r < (t & 5); ++r) { if (x == 9) continue; x += r; }
      __syncthreads();
      a[t % n] = x; })",
            1, 64, 64);
}

/// Lanes that wait for each other: the policy of Volta lets them go on from joins.
TEST(Record, LanesThatSpinAddUp) {
  recordAll(R"(
    extern "C" __global__ void k(int* a, int n) {
      volatile int* lock = a;
      if (threadIdx.x == 0) lock[0] = 0;
      __syncwarp();
      bool done = false;
      while (!done)
        if (atomicCAS(a, 0, 1) == 0) {
          a[1] += 1;
          __threadfence();
          atomicExch(a, 0);
          done = true;
        } })",
            1, 40, 64);
}

TEST(Record, ALoopOfLanesThatGoTogetherIsOneRun) {
  const profile::WarpRecords records = recordAll(R"(
    extern "C" __global__ void k(int* a, int n) {
      int x = threadIdx.x;
      #pragma unroll 1
      for (int t = 0; t < 1000; ++t) { x = x * 3 + 1; a[x & 15] += t; }
      a[threadIdx.x] = x; })",
                                                 1, 32, 32);
  EXPECT_LT(records.recorded.front().runs.size(), 10u);
  EXPECT_GT(records.recorded.front().instructions, 5000u);
}

TEST(Record, LinesAreThoseOfTheSource) {
  const profile::WarpRecords records = recordAll("extern \"C\" __global__ void k(int* a, int n) {\n"
                                                 "  int x = a[threadIdx.x];\n"
                                                 "  if (x & 1)\n"
                                                 "    a[threadIdx.x] = x / 3;\n"
                                                 "  else\n"
                                                 "    a[threadIdx.x] = x % 7;\n"
                                                 "}\n",
                                                 1, 32, 32);
  const profile::RecordedWarp& warp = records.recorded.front();
  std::vector<std::pair<int, LaneMask>> seen; // lines with lanes
  for (const profile::RecordedWarp::Run& run : warp.runs)
    for (const profile::LineRun& line : records.stretches[run.stretch])
      seen.emplace_back(records.places[line.place].where.line, warp.owners[run.owners].active);
  const auto has = [&](int line, LaneMask lanes) {
    return std::ranges::find(seen, std::pair(line, lanes)) != seen.end();
  };
  EXPECT_TRUE(has(2, allLanes));
  EXPECT_TRUE(has(3, allLanes));
  EXPECT_TRUE(has(4, 0x55555555u)) << "3, 5, ... are odd";
  EXPECT_TRUE(has(6, 0xaaaaaaaau));
}

/// Warp w runs a loop as often as its number in the grid says.
const char* const uneven = R"(
    extern "C" __global__ void k(int* a, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      const int w = i / 32;
      int x = i;
      #pragma unroll 1
      for (int t = 0; t < (w * 37) % 101; ++t) x = x * 3 + a[x & 15];
      a[i % n] = x; })";

profile::WarpRecords recordUneven(int warps, int workers, int launches = 1) {
  const auto kernel = compileText(uneven);
  std::vector<int> data(64, 1);
  WarpRecorder recorder(*kernel->kernel, warps);
  LaunchSettings settings;
  settings.recorder = &recorder;
  settings.workers = workers;
  for (int launch = 0; launch < launches; ++launch) {
    const auto outcome = launchOn(*kernel, data, 101, 64, settings);
    EXPECT_TRUE(outcome && !outcome->fault);
  }
  return recorder.records(atOnce).value();
}

TEST(Record, KeepsTheSlowestTheMedianAndTheFastest) {
  using Role = profile::RecordedWarp::Role;
  const profile::WarpRecords records = recordUneven(3, 2);
  EXPECT_EQ(records.warps, 202u);
  ASSERT_EQ(records.recorded.size(), 3u);
  const auto& [slowest, median, fastest] =
      std::tie(records.recorded[0], records.recorded[1], records.recorded[2]);
  EXPECT_EQ(slowest.role, Role::Slowest);
  EXPECT_EQ(slowest.fewer, 200u) << "two warps run the loop 100 times";
  EXPECT_EQ(median.role, Role::Median);
  EXPECT_NEAR(double(median.fewer), 101, 20);
  EXPECT_EQ(fastest.role, Role::Fastest);
  EXPECT_EQ(fastest.fewer, 0u);
  EXPECT_EQ(fastest.block[0], 0);
  EXPECT_EQ(fastest.warp, 0) << "of equal ones the first";
  const int number = slowest.block[0] * 2 + slowest.warp;
  EXPECT_EQ(number * 37 % 101, 100);
}

TEST(Record, WorkersDoNotMatter) {
  const profile::WarpRecords one = recordUneven(5, 1, 2), four = recordUneven(5, 4, 2);
  ASSERT_EQ(one.recorded.size(), 5u);
  ASSERT_EQ(four.recorded.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(one.recorded[i].block, four.recorded[i].block);
    EXPECT_EQ(one.recorded[i].warp, four.recorded[i].warp);
    EXPECT_EQ(one.recorded[i].launch, four.recorded[i].launch);
    EXPECT_EQ(one.recorded[i].owners, four.recorded[i].owners);
  }
}

TEST(Record, ALongWarpIsCutAndSaysSo) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      unsigned x = i * 2654435761u + 1;
      #pragma unroll 1
      for (int t = 0; t < 200000; ++t) {
        x ^= x << 13; x ^= x >> 17; x ^= x << 5;
        if (x & 1) a[i] += x / 3; else a[i] -= x / 5;
      } })");
  std::vector<int> data(32);
  WarpRecorder recorder(*kernel->kernel, 1);
  LaunchSettings settings;
  settings.recorder = &recorder;
  const auto outcome = launchOn(*kernel, data, 1, 32, settings);
  ASSERT_TRUE(outcome && !outcome->fault);
  const profile::WarpRecords records = recorder.records(atOnce).value();
  const profile::RecordedWarp& warp = records.recorded.front();
  EXPECT_TRUE(warp.isCut());
  EXPECT_EQ(warp.instructions, outcome->profile.warpInstructions);
  EXPECT_GT(warp.recorded, 200'000u);
  EXPECT_LE(warp.runs.size(), WarpRecording::mostRuns);
  EXPECT_EQ(faultOf(records, outcome->profile.branches.size()), "");
}

/// The account of a run does not depend on whether it is recorded.
TEST(Record, ChangesNothing) {
  const auto kernel = compileText(parting);
  const auto profileOf = [&](WarpRecorder* recorder) {
    std::vector<int> data(std::size_t{400} * 64 - 11);
    std::iota(data.begin(), data.end(), 3);
    LaunchSettings settings;
    settings.recorder = recorder;
    return runOn(*kernel, data, 400, 64, settings).value();
  };
  WarpRecorder recorder(*kernel->kernel, 3);
  const profile::KernelProfile with = profileOf(&recorder), without = profileOf(nullptr);
  EXPECT_EQ(with.warpInstructions, without.warpInstructions);
  EXPECT_EQ(with.threadInstructions, without.threadInstructions);
  for (std::size_t i = 0; i < with.branches.size(); ++i)
    EXPECT_EQ(with.branches[i].lostSlots, without.branches[i].lostSlots) << i;
}

} // namespace
} // namespace heddle::engine
