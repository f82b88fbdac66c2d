// SPDX-License-Identifier: Apache-2.0
//
// Kernels on the engine against the same computation in plain C++, thread by thread.
#include "EngineFixture.h"

#include <cmath>
#include <numeric>

namespace heddle::engine {
namespace {

template <class T, class Reference>
void expectSame(const std::string& source, int grid, int block, Reference reference) {
  const auto kernel = compileText(source);
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<T> data(std::size_t(grid) * std::size_t(block));
  std::iota(data.begin(), data.end(), T(0));
  std::vector<T> expected = data;
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = reference(static_cast<int>(i), expected[i]);
  const auto profile = runOn(*kernel, data, grid, block);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->addsUp());
  EXPECT_EQ(data, expected);
}

TEST(Engine, TwoWayBranchInALoop) {
  expectSame<unsigned>("extern \"C\" __global__ void k(unsigned* a, int n) {" + index + R"(
        unsigned r = a[i], result = 0;
        for (int t = 0; t < 20; t++) {
          r = (r * 0x19660Du + 0x3C6EF35Fu) & 0xFFFFFFu;
          if (r < 0x800000u) for (int j = 0; j < 5; j++) { result = result * 3 + 5; result ^= result >> 3; }
          else               for (int j = 0; j < 7; j++) { result = result * 7 - 1; result ^= result >> 5; }
        }
        a[i] = result; })",
                       7, 96, [](int, unsigned seed) {
                         unsigned r = seed, result = 0;
                         for (int t = 0; t < 20; t++) {
                           r = (r * 0x19660Du + 0x3C6EF35Fu) & 0xFFFFFFu;
                           if (r < 0x800000u)
                             for (int j = 0; j < 5; j++) {
                               result = result * 3 + 5;
                               result ^= result >> 3;
                             }
                           else
                             for (int j = 0; j < 7; j++) {
                               result = result * 7 - 1;
                               result ^= result >> 5;
                             }
                         }
                         return result;
                       });
}

TEST(Engine, BreakContinueReturnAndSwitch) {
  expectSame<int>("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
        int x = a[i];
        if (x % 7 == 6) return;
        for (int t = 0; t < x; t++) {
          if (t % 5 == 4) continue;
          switch (x % 4) { case 0: x += 3; break; case 1: x ^= t; break; case 2: x -= t; break; default: x *= 2; }
          if (x > 1000 || x < -1000) break;
        }
        a[i] = x; })",
                  3, 64, [](int, int x) {
                    if (x % 7 == 6)
                      return x;
                    for (int t = 0; t < x; t++) {
                      if (t % 5 == 4)
                        continue;
                      switch (x % 4) {
                      case 0:
                        x += 3;
                        break;
                      case 1:
                        x ^= t;
                        break;
                      case 2:
                        x -= t;
                        break;
                      default:
                        x *= 2;
                      }
                      if (x > 1000 || x < -1000)
                        break;
                    }
                    return x;
                  });
}

TEST(Engine, LocalArraysAndDivision) {
  expectSame<int>("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
        int stack[16], top = 0, x = a[i] + 1;
        while (x > 0) { stack[top++] = x % 10; x /= 10; }
        int y = 0;
        while (top > 0) y = y * 7 + stack[--top] / (1 + top % 3);
        a[i] = y - a[i] / -1; })",
                  2, 100, [](int, int value) {
                    int stack[16], top = 0, x = value + 1;
                    while (x > 0) {
                      stack[top++] = x % 10;
                      x /= 10;
                    }
                    int y = 0;
                    while (top > 0) {
                      --top;
                      y = y * 7 + stack[top] / (1 + top % 3);
                    }
                    return y + value;
                  });
}

TEST(Engine, SharedMemoryBarriersAndShuffles) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
        __shared__ int sums[8];
        int x = a[i];
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
        if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
        __syncthreads();
        int total = 0;
        for (int w = 0; w < blockDim.x / 32; w++) total += sums[w];
        a[i] = total; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(3 * 256, 0);
  std::iota(data.begin(), data.end(), 0);
  ASSERT_TRUE(runOn(*kernel, data, 3, 256));
  for (int block = 0; block < 3; ++block)
    for (int thread = 0; thread < 256; ++thread)
      EXPECT_EQ(data[std::size_t(block * 256 + thread)], 256 * 256 * block + 255 * 128);
}

TEST(Engine, WarpsWithLessToDoComeFirstBehindABarrier) {
  const auto kernel = compileText(R"(extern "C" __global__ void k(int* a, int n) {
        __shared__ int count;
        const int warp = threadIdx.x / 32;
        if (threadIdx.x == 0) count = 0;
        for (int i = 0; i < 8 * (4 - warp); ++i) ((volatile int*)a)[32 + threadIdx.x] = i;
        __syncthreads();
        if (threadIdx.x % 32 == 0) a[atomicAdd(&count, 1)] = warp; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(32 + 128, 0);
  ASSERT_TRUE(runOn(*kernel, data, 1, 128));
  data.resize(4);
  EXPECT_EQ(data, (std::vector{3, 2, 1, 0}));
}

TEST(Engine, StructArgumentsAndDynamicSharedMemory) {
  const auto kernel = compileText(R"(
      struct Settings { int scale, offset[3]; };
      extern "C" __global__ void k(int* a, Settings settings) {
        extern __shared__ int dynamic[];
        __shared__ int fixed[32];
        const int t = threadIdx.x;
        dynamic[t] = a[t] * settings.scale;
        fixed[t] = settings.offset[t % 3];
        __syncthreads();
        a[t] = dynamic[31 - t] + fixed[31 - t]; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(32);
  std::iota(data.begin(), data.end(), 0);
  DeviceMemory memory;
  memory.add(data.data(), data.size() * sizeof(int), "the test's buffer");
  LaunchRequest request;
  request.block = {32, 1, 1};
  request.dynamicShared = 32 * sizeof(int);
  request.arguments.resize(kernel->kernel->argumentSize());
  int* pointer = data.data();
  const int settings[] = {5, 100, 200, 300};
  ASSERT_EQ(kernel->kernel->argumentSizes().at(1), sizeof settings);
  std::memcpy(request.arguments.data(), &pointer, sizeof pointer);
  std::memcpy(request.arguments.data() + kernel->kernel->argumentOffsets().at(1), settings,
              sizeof settings);
  const auto outcome = launch(*kernel->kernel, request, memory, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_FALSE(outcome->fault);
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(data[std::size_t(t)], (31 - t) * 5 + settings[1 + (31 - t) % 3]) << t;
}

TEST(Engine, AtomicsVotesAndVariables) {
  const auto kernel = compileText(R"(
      __device__ int counter;
      extern "C" __global__ void k(int* a, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        const unsigned odd = __ballot_sync(0xffffffffu, i & 1);
        if (i & 1) atomicAdd(&counter, __popc(odd));
        atomicMax(&a[0], i);
        if (i == 5) atomicCAS(&a[1], 1, 77); })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(128);
  std::iota(data.begin(), data.end(), 0);
  ASSERT_TRUE(runOn(*kernel, data, 2, 64));
  EXPECT_EQ(data[0], 127);
  EXPECT_EQ(data[1], 77);
  int counter = 0;
  std::memcpy(&counter, kernel->program->variables().at(0).address, sizeof counter);
  EXPECT_EQ(counter, 64 * 16);
}

TEST(Engine, MathAgreesWithTheLibrary) {
  const auto kernel = compileText("extern \"C\" __global__ void k(float* a, int n) {" + index +
                                  "a[i] = sinf(a[i]) + sqrtf(a[i]) * floorf(a[i] / 3); }");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<float> data(64);
  std::iota(data.begin(), data.end(), 0.0f);
  ASSERT_TRUE(runOn(*kernel, data, 2, 32));
  for (int i = 0; i < 64; ++i) {
    const float x = static_cast<float>(i);
    EXPECT_NEAR(data[std::size_t(i)], std::sin(x) + std::sqrt(x) * std::floor(x / 3), 1e-4) << i;
  }
}

TEST(Engine, AnAccessOutsideLiveMemoryNamesItsPlace) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {\n" + index +
                                  "\n  a[i + 1000000] = 1;\n}");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(32);
  const auto profile = runOn(*kernel, data, 1, 32);
  ASSERT_FALSE(profile);
  EXPECT_NE(profile.error().message.find(
                ".cu:3: kernel 'k': thread (0,0,0) of block (0,0,0) writes 4 bytes at"),
            std::string::npos)
      << profile.error().message;
}

TEST(Engine, WhatItCannotRunIsNamed) {
  const auto kernel = compileText(R"(
      extern "C" __global__ void k(int* a, int n) { asm volatile("wgmma.fence.sync.aligned;"); })");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().message.find("does not run PTX's 'wgmma.fence.sync.aligned'"),
            std::string::npos)
      << kernel.error().message;
}

TEST(Engine, CompilerErrorsArePassedOn) {
  const auto kernel = compileText("__global__ void k(int* a) { nonsense; }");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().message.find("use of undeclared identifier 'nonsense'"),
            std::string::npos);
}

TEST(Engine, ResultsAndAccountDoNotDependOnTheNumberOfThreads) {
  const auto kernel =
      compileText("extern \"C\" __global__ void k(unsigned* a, int n) {" + index + R"(
        unsigned x = a[i] * 2654435761u + 1;
        for (int t = 0; t < 40; t++) {
          x = x * 1664525u + 1013904223u;
          if (x & 0x10000) x ^= a[x % 64]; else x += t;
        }
        __syncthreads();
        if (i >= 64) a[i] = x; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<unsigned> data; // one buffer: sectors depend on where it lies
  const auto run = [&](int workers) {
    data.assign(std::size_t{200} * 96, 3);
    LaunchSettings settings;
    settings.workers = workers;
    return runOn(*kernel, data, 200, 96, settings);
  };
  const auto first = run(1);
  const std::vector<unsigned> one = data;
  const auto second = run(4);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(one, data);
  EXPECT_EQ(first->threadInstructions, second->threadInstructions);
  EXPECT_EQ(first->warpInstructions, second->warpInstructions);
  for (std::size_t i = 0; i < first->branches.size(); ++i)
    EXPECT_EQ(first->branches[i].lostSlots, second->branches[i].lostSlots);
  for (std::size_t i = 0; i < first->accesses.size(); ++i)
    EXPECT_EQ(first->accesses[i].transactions, second->accesses[i].transactions);
}

TEST(Engine, BothPoliciesGiveAnOrdinaryKernelTheSameAccount) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
        for (int t = 0; t < (i & 31); t++) {
          if (t & i) atomicAdd(&a[t & 7], 1); else a[64 + i] += t;
        } })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> stackData(4096), voltaData(4096);
  LaunchSettings stack, volta;
  stack.reconvergence = Reconvergence::Stack;
  const auto before = runOn(*kernel, stackData, 4, 64, stack);
  const auto after = runOn(*kernel, voltaData, 4, 64, volta);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(stackData, voltaData);
  EXPECT_EQ(before->warpInstructions, after->warpInstructions);
  EXPECT_EQ(before->lostToBranches(), after->lostToBranches());
}

} // namespace
} // namespace heddle::engine
