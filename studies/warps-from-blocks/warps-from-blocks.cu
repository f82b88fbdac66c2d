// SPDX-License-Identifier: Apache-2.0
//
// How a block is cut into warps: the x index runs first, then y, then z, and 32 consecutive threads
// are a warp. The kernel does not compute the warp, it looks: a shuffle tells each thread who its
// neighbours are. What it saw is held against the rule, for blocks of one, two and three
// dimensions, also where the last warp is not full.
//
//   heddle run studies/warps-from-blocks/warps-from-blocks.cu
#include "../study.cuh"

constexpr int warpLanes = 32;

struct Seen {
  int thread; ///< linear index by the rule
  int leader; ///< linear index of the thread in lane 0 of the same warp
  int lane;   ///< lane in which the thread found itself
  int row;    ///< which (y, z) it belongs to
};

__global__ void lookAround(Seen* seen) {
  const int row = threadIdx.y + blockDim.y * threadIdx.z;
  const int thread = threadIdx.x + blockDim.x * row;
  const unsigned warp = __activemask(); // at the start of a kernel: every thread the warp has
  const int leader = __shfl_sync(warp, thread, 0);
  int lane = -1;
  for (int other = 0; other < warpLanes; ++other)
    if ((warp >> other & 1u) != 0 && __shfl_sync(warp, thread, other) == thread)
      lane = other;
  seen[thread] = {thread, leader, lane, row};
}

bool follows(const Seen& seen) {
  return seen.leader == seen.thread / warpLanes * warpLanes && seen.lane == seen.thread % warpLanes;
}

/// One row for each warp of the block, in the order of the threads that lead them.
void printWarps(const std::string& shape, const std::vector<Seen>& seen) {
  const int threads = static_cast<int>(seen.size());
  int agreeing = 0;
  for (const Seen& one : seen)
    agreeing += follows(one);
  for (int first = 0; first < threads; first += warpLanes) {
    const int lanes = std::min(warpLanes, threads - first);
    study::Row(shape)
        .set("warp", first / warpLanes)
        .set("firstThread", seen[first].leader)
        .set("lanes", lanes)
        .set("full", lanes == warpLanes)
        .set("rowsInWarp", seen[first + lanes - 1].row - seen[first].row + 1)
        .set("threads", threads)
        .set("agreeing", agreeing / static_cast<double>(threads))
        .print();
  }
  study::require(agreeing == threads, "a block of " + shape + " is not cut by the rule");
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const long long largest = arguments.number("largest", 512);
  const bool records = arguments.records();
  arguments.done();
  if (records) // of speedups: this study compares warps, not times
    return 0;

  const dim3 shapes[] = {{128, 1, 1}, {16, 16, 1}, {8, 8, 4}, {4, 4, 4}, {33, 3, 1}, {5, 7, 3}};
  for (const dim3 block : shapes) {
    const unsigned threads = block.x * block.y * block.z;
    if (threads > largest)
      continue;
    study::DeviceArray<Seen> seen(threads);
    lookAround<<<1, block>>>(seen.data());
    STUDY_CHECK(cudaGetLastError());
    printWarps(std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
                   std::to_string(block.z),
               seen.values());
  }
}
