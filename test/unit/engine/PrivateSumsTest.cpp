// SPDX-License-Identifier: Apache-2.0
//
// Sums that workers keep to themselves: memory must end as if they had not.
#include "EngineFixture.h"

#include "engine/PrivateSums.h"

#include <numeric>

namespace heddle::engine {
namespace {

constexpr int grid = 64, block = 96;

/// Runs with one worker and with three; both must leave `expected`.
template <class T> void expectSums(const std::string& body, const std::vector<T>& expected) {
  const char* type = sizeof(T) == 8 ? "unsigned long long" : "unsigned";
  const auto kernel = compileText(
      fmt::format("extern \"C\" __global__ void k({}* a, int n) {{{} {} }}", type, index, body));
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (const int workers : {1, 3}) {
    std::vector<T> data(expected.size());
    const auto profile = runOn(*kernel, data, grid, block, {.workers = workers});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(data, expected) << workers << " workers";
  }
}

TEST(PrivateSums, AHistogramIsWhole) {
  std::vector<unsigned> expected(37);
  for (unsigned i = 0; i < grid * block; ++i)
    expected[i * i % 37] += i;
  expectSums("atomicAdd(&a[i * i % 37], i);", expected);
}

TEST(PrivateSums, WordsOf64BitsCarry) {
  std::vector<unsigned long long> expected(5);
  for (unsigned i = 0; i < grid * block; ++i)
    expected[i % 5] += 0xffffffffull + i;
  expectSums("atomicAdd(&a[i % 5], 0xffffffffull + i);", expected);
}

TEST(PrivateSums, OneCounterForAWarpOrHalfOfIt) {
  std::vector<unsigned> expected(2 * grid);
  for (unsigned i = 0; i < grid * block; ++i) {
    expected[i / block] += i;
    expected[grid + i / 16 % 2] += i % 7;
  }
  expectSums("atomicAdd(&a[blockIdx.x], i); atomicAdd(&a[gridDim.x + i / 16 % 2], i % 7);",
             expected);
}

TEST(PrivateSums, LanesThatTakePart) {
  std::vector<unsigned> expected(3);
  for (unsigned i = 0; i < grid * block; ++i)
    if (i % 3 != 1)
      expected[i % 3] -= i;
  expectSums("if (i % 3 != 1) atomicSub(&a[i % 3], i);", expected);
}

TEST(PrivateSums, ABlockReadsWhatItsThreadsAdded) {
  std::vector<unsigned> expected(2 * grid);
  for (unsigned i = 0; i < grid; ++i)
    expected[i] = expected[grid + i] = block;
  expectSums("atomicAdd(&a[blockIdx.x], 1); __syncthreads();"
             "if (threadIdx.x == 0) a[gridDim.x + blockIdx.x] = a[blockIdx.x];",
             expected);
}

TEST(PrivateSums, AReadInTheSameBasicBlock) {
  std::vector<unsigned> expected(2 * grid * block);
  for (std::size_t i = 0; i < grid * block; ++i) {
    expected[2 * i] = unsigned(i) + 1;
    expected[2 * i + 1] = unsigned(i) + 1;
  }
  expectSums("atomicAdd(&a[2 * i], i + 1); a[2 * i + 1] = a[2 * i];", expected);
}

bool sumsPrivately(const std::string& body) {
  const TemporaryFolder folder = *TemporaryFolder::make();
  const std::string file = (folder.path() / "test.cu").string();
  EXPECT_TRUE(writeFile(file, "extern \"C\" __global__ void k(int* a, int n) {" + body + "}"));
  const auto module = frontend::parseDeviceModule(*frontend::compileDevice(file, {}), "test.cu");
  return maySumPrivately({*frontend::findKernel(*module->module, "k")});
}

TEST(PrivateSums, OnlyWhereNobodyCanTell) {
  EXPECT_TRUE(sumsPrivately("atomicAdd(a + threadIdx.x % 4, 1);"));
  EXPECT_TRUE(sumsPrivately("__shared__ int s; atomicMax(&s, n); __syncthreads(); "
                            "atomicAdd(a, s);"));
  EXPECT_FALSE(sumsPrivately("a[threadIdx.x] = n;")) << "no sum";
  EXPECT_FALSE(sumsPrivately("a[1] = atomicAdd(a, 1);")) << "its result is read";
  EXPECT_FALSE(sumsPrivately("atomicAdd(a, 1); __threadfence(); a[1] = 1;"));
  EXPECT_FALSE(sumsPrivately("atomicAdd(a, 1); while (*(volatile int*)(a + 1) == 0) {}"));
  EXPECT_FALSE(sumsPrivately("atomicAdd(a, 1); atomicMax(a + 1, n);"));
  EXPECT_FALSE(sumsPrivately("atomicAdd(a, 1); atomicAdd((unsigned long long*)a + 1, 1ull);"))
      << "words of two sizes";
  EXPECT_FALSE(sumsPrivately("atomicAdd((float*)a, 1.0f);")) << "its order matters";
}

} // namespace
} // namespace heddle::engine
