// SPDX-License-Identifier: Apache-2.0
//
// How many paths a warp runs when its lanes choose among k: k when neighbours choose differently, one
// when whole warps choose alike. The smallest study there is; tests run it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int warpSize32 = 32;

/// Counts the paths of each warp, and runs the chosen one: path p adds p + 1, p + 1 times.
__global__ void choose(const int* path, int paths, int* sums, int* pathsOfWarp) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int taken = 0;
  for (int p = 0; p < paths; ++p)
    taken += __ballot_sync(0xffffffffu, path[thread] == p) != 0;
  int sum = 0;
  for (int i = 0; i <= path[thread]; ++i)
    sum += path[thread] + 1;
  sums[thread] = sum;
  if (threadIdx.x % warpSize32 == 0)
    pathsOfWarp[thread / warpSize32] = taken;
}

/// Prints one row; false when the kernel was wrong.
bool measure(const char* series, bool byLane, int paths, int threads) {
  std::vector<int> chosen(threads), sums(threads), ofWarp(threads / warpSize32);
  for (int i = 0; i < threads; ++i)
    chosen[i] = (byLane ? i : i / warpSize32) % paths;
  int *path, *sum, *taken;
  cudaMalloc(&path, threads * sizeof(int));
  cudaMalloc(&sum, threads * sizeof(int));
  cudaMalloc(&taken, ofWarp.size() * sizeof(int));
  cudaMemcpy(path, chosen.data(), threads * sizeof(int), cudaMemcpyHostToDevice);
  choose<<<threads / 128, 128>>>(path, paths, sum, taken);
  cudaMemcpy(sums.data(), sum, threads * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(ofWarp.data(), taken, ofWarp.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(path);
  cudaFree(sum);
  cudaFree(taken);
  for (int i = 0; i < threads; ++i)
    if (sums[i] != (chosen[i] + 1) * (chosen[i] + 1))
      return false;
  double mean = 0;
  for (const int count : ofWarp)
    mean += count / double(ofWarp.size());
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("{\"series\": \"%s\", \"paths\": %d, \"pathsPerWarp\": %g, \"threads\": %d, "
              "\"multiprocessors\": %d}\n",
              series, paths, mean, threads, device.multiProcessorCount);
  return true;
}

int main(int count, char** arguments) {
  int threads = 4096;
  for (int i = 1; i + 1 < count; i += 2)
    if (!std::strcmp(arguments[i], "--threads"))
      threads = std::atoi(arguments[i + 1]);
  for (int paths = 1; paths <= 32; paths *= 2)
    if (!measure("by lane", true, paths, threads) || !measure("by warp", false, paths, threads)) {
      std::fprintf(stderr, "wrong sums with %d paths: %s\n", paths,
                   cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
  return 0;
}
