// SPDX-License-Identifier: Apache-2.0
//
// Blocks of a cluster: which ones they are, what they see of each other, what the launch refuses.
#include "EngineFixture.h"

namespace heddle::engine {
namespace {

/// As cooperative groups have it.
const std::string cluster =
    "#define REGISTER(name) ({ unsigned v; asm(\"mov.u32 %0, %%\" name \";\" : \"=r\"(v)); v; })\n"
    "__device__ int* there(int* p, unsigned rank) {\n"
    "  unsigned long long to;\n"
    "  asm(\"mapa.u64 %0, %1, %2;\" : \"=l\"(to) : \"l\"((unsigned long long)p), \"r\"(rank));\n"
    "  return (int*)to;\n"
    "}\n"
    "__device__ void arrive() { asm volatile(\"barrier.cluster.arrive;\" : : : \"memory\"); }\n"
    "__device__ void wait() { asm volatile(\"barrier.cluster.wait;\" : : : \"memory\"); }\n";

std::string kernelWith(const std::string& body) {
  return cluster + "extern \"C\" __global__ void k(int* data, int n) {" + index + body + "}";
}

struct Shape {
  std::array<int, 3> grid, block, cluster;
};

Expected<LaunchOutcome> launchClusters(const TestKernel& test, std::vector<int>& data,
                                       const Shape& shape, const LaunchSettings& settings = {}) {
  DeviceMemory memory;
  memory.add(data.data(), data.size() * sizeof(int), "the test's buffer");
  LaunchRequest request;
  request.grid = shape.grid;
  request.block = shape.block;
  request.cluster = shape.cluster;
  request.asksForClusters = true;
  request.arguments.resize(test.kernel->argumentSize());
  int* pointer = data.data();
  const int size = int(data.size());
  std::memcpy(request.arguments.data(), &pointer, sizeof pointer);
  std::memcpy(request.arguments.data() + test.kernel->argumentOffsets().at(1), &size, sizeof size);
  return launch(*test.kernel, request, memory, settings);
}

std::string faultOf(const std::string& body) {
  const auto test = compileText(kernelWith(body));
  if (!test)
    return test.error().message;
  std::vector<int> data(128);
  const auto outcome = launchClusters(*test, data, {{2, 1, 1}, {64, 1, 1}, {2, 1, 1}});
  if (!outcome)
    return outcome.error().message;
  return outcome->fault ? outcome->fault->message : "";
}

TEST(Cluster, RanksGoByXFirst) {
  const auto test = compileText(
      kernelWith("int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * "
                 "blockIdx.z); if (threadIdx.x == 0) data[block] = "
                 "REGISTER(\"clusterid.x\") * 1000 + REGISTER(\"clusterid.y\") * 100 + "
                 "REGISTER(\"cluster_nctarank\") * 10 + REGISTER(\"cluster_ctarank\");"));
  ASSERT_TRUE(test) << test.error().message;
  std::vector<int> data(24);
  const auto outcome = launchClusters(*test, data, {{6, 4, 1}, {32, 1, 1}, {3, 2, 1}});
  ASSERT_TRUE(outcome && !outcome->fault);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x)
      EXPECT_EQ(data[std::size_t(y * 6 + x)], x / 3 * 1000 + y / 2 * 100 + 60 + y % 2 * 3 + x % 3);
}

TEST(Cluster, BlocksSeeEachOthersSharedMemoryWithAnyNumberOfWorkers) {
  const auto test = compileText(
      kernelWith("__shared__ int box[64]; unsigned rank = REGISTER(\"cluster_ctarank\"), size = "
                 "REGISTER(\"cluster_nctarank\"); box[threadIdx.x] = i; arrive(); wait();"
                 "data[i] = there(box, (rank + 1) % size)[63 - threadIdx.x]; arrive(); wait();"));
  ASSERT_TRUE(test) << test.error().message;
  for (const int workers : {1, 3}) {
    std::vector<int> data(64 * 12);
    LaunchSettings settings;
    settings.workers = workers;
    const auto outcome = launchClusters(*test, data, {{12, 1, 1}, {64, 1, 1}, {4, 1, 1}}, settings);
    ASSERT_TRUE(outcome && !outcome->fault);
    for (int i = 0; i < 64 * 12; ++i) {
      const int block = i / 64, next = block / 4 * 4 + (block + 1) % 4;
      ASSERT_EQ(data[std::size_t(i)], next * 64 + 63 - i % 64) << i;
    }
  }
}

TEST(Cluster, OnlyAnAccessFaultsWhereThereIsNoSuchBlock) {
  const std::string begin =
      "__shared__ int box; box = 1; arrive(); wait(); int* p = there(&box, 2);";
  EXPECT_EQ(faultOf(begin + "data[i] = p == nullptr; arrive(); wait();"), "");
  EXPECT_NE(faultOf(begin + "data[i] = *p; arrive(); wait();")
                .find("in the shared memory of block 2 of its cluster, which has 2"),
            std::string::npos);
  EXPECT_NE(faultOf("data[i] = *there(data, 1); arrive(); wait();").find("is in none"),
            std::string::npos);
}

/// The same instruction has read its own block's memory before: what it found then does not count.
TEST(Cluster, MemoryOfABlockThatHasEndedIsNotThere) {
  const std::string fault =
      faultOf("__shared__ int box; unsigned rank = REGISTER(\"cluster_ctarank\"); box = i;"
              "arrive(); wait(); int sum = 0; for (int r = 0; r < 2; ++r) {"
              "sum += *there(&box, rank == 1 ? 1 : r);"
              "if (rank == 0) { arrive(); wait(); } } data[i] = sum;");
  EXPECT_NE(fault.find("of block 1 of its cluster, which has ended"), std::string::npos) << fault;
}

TEST(Cluster, ArrivingAndWaitingTakeTurns) {
  EXPECT_NE(faultOf("arrive(); arrive(); wait();").find("again before it has waited"),
            std::string::npos);
  EXPECT_NE(faultOf("wait();").find("at which it has not arrived"), std::string::npos);
  EXPECT_NE(faultOf("arrive(); if (threadIdx.x % 2) { wait(); data[i] = 1; } else { "
                    "__syncthreads(); wait(); data[i] = 2; }")
                .find("different barriers"),
            std::string::npos);
  EXPECT_NE(faultOf("if (threadIdx.x < 32) { arrive(); wait(); } else __syncthreads();")
                .find("waits for ever at the cluster's barrier"),
            std::string::npos);
}

/// A rewrite must know that threads of different blocks depend on each other.
TEST(Cluster, WhatAnotherBlockReadsIsNoted) {
  const auto touched = [](const std::string& rank) {
    const auto test = compileText(
        kernelWith("__shared__ int box[64]; box[threadIdx.x] = i; arrive(); wait(); data[i] = "
                   "there(box, " +
                   rank + ")[threadIdx.x]; arrive(); wait();"));
    EXPECT_TRUE(test);
    std::vector<int> data(128);
    LaunchTouches touches;
    touches.inShared = true;
    LaunchSettings settings;
    settings.touches = &touches;
    EXPECT_TRUE(launchClusters(*test, data, {{2, 1, 1}, {64, 1, 1}, {2, 1, 1}}, settings));
    return touches.shared.has_value();
  };
  EXPECT_FALSE(touched("REGISTER(\"cluster_ctarank\")"));
  EXPECT_TRUE(touched("REGISTER(\"cluster_ctarank\") ^ 1"));
}

TEST(Cluster, AGridOfPartsOfClustersIsRefused) {
  const auto test = compileText(kernelWith("data[i] = 0;"));
  ASSERT_TRUE(test) << test.error().message;
  std::vector<int> data(64 * 3);
  const auto outcome = launchClusters(*test, data, {{3, 1, 1}, {64, 1, 1}, {2, 1, 1}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "clusters of 2,1,1 in a grid of 3,1,1: expected a grid of whole ones");
}

/// As on a GPU, a launch that asks for none has clusters of one block.
TEST(Cluster, ABlockAloneIsAClusterOfItsOwn) {
  const auto test = compileText(kernelWith(
      "__shared__ int box; box = 5; arrive(); wait(); data[i] = REGISTER(\"clusterid.x\") * 100 + "
      "REGISTER(\"cluster_nctarank\") * 10 + REGISTER(\"cluster_ctarank\") + *there(&box, 0);"));
  ASSERT_TRUE(test) << test.error().message;
  std::vector<int> data(64 * 3);
  ASSERT_TRUE(runOn(*test, data, 3, 64));
  for (int i = 0; i < 64 * 3; ++i)
    EXPECT_EQ(data[std::size_t(i)], i / 64 * 100 + 15);
}

} // namespace
} // namespace heddle::engine
