// SPDX-License-Identifier: Apache-2.0
// Hovland's experiments on one warp: cycles by the number of paths, by the lane that leaves, by the
// grouping of lanes and by how many leave. Cost grows with the number of paths and with nothing
// else. Arguments: iterations (default 20).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

// 32 dependent operations. Their kinds follow the bits of the path's number, so that no two paths
// share their code.
template <int Path> __host__ __device__ inline float walk(float x) {
#pragma unroll
  for (int step = 0; step < 32; ++step)
    x = (Path >> step % 5 ^ step) & 1 ? fmaf(x, 0.5f, 1.0f + float(Path)) : x * 0.875f;
  return x;
}

#define FOUR(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASE(n)                                                                                    \
  case n:                                                                                          \
    return walk<n>(x);

__host__ __device__ inline float choose(int path, float x) {
  switch (path) {
    FOUR(1)
    FOUR(5) FOUR(9) FOUR(13) FOUR(17) FOUR(21) FOUR(25) CASE(29) CASE(30) CASE(31) default
        : return walk<0>(x);
  }
}

__global__ void branches(const int* paths, float* out, long long* cycles, int iterations) {
  const int path = paths[threadIdx.x];
  float x = float(threadIdx.x);
  const long long start = clock64();
  for (int i = 0; i < iterations; ++i)
    x = choose(path, x);
  out[threadIdx.x] = x;
  cycles[threadIdx.x] = clock64() - start;
}

static int failures = 0;

// Runs one warp whose lane l takes paths[l]; returns cycles per iteration.
double run(const std::vector<int>& paths, int iterations) {
  int* devicePaths = nullptr;
  float *deviceOut = nullptr, out[32];
  long long *deviceCycles = nullptr, cycles[32];
  cudaMalloc(&devicePaths, sizeof(int) * 32);
  cudaMalloc(&deviceOut, sizeof out);
  cudaMalloc(&deviceCycles, sizeof cycles);
  cudaMemcpy(devicePaths, paths.data(), sizeof(int) * 32, cudaMemcpyHostToDevice);
  branches<<<1, 32>>>(devicePaths, deviceOut, deviceCycles, iterations);
  cudaMemcpy(out, deviceOut, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(cycles, deviceCycles, sizeof cycles, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess)
    ++failures;
  long long most = 0;
  for (int lane = 0; lane < 32; ++lane) {
    float want = float(lane);
    for (int i = 0; i < iterations; ++i)
      want = choose(paths[lane], want);
    if (out[lane] != want && failures++ < 8)
      printf("FAIL: path %d in lane %d gives %.9g, expected %.9g\n", paths[lane], lane, out[lane],
             want);
    most = cycles[lane] > most ? cycles[lane] : most;
  }
  cudaFree(devicePaths);
  cudaFree(deviceOut);
  cudaFree(deviceCycles);
  return double(most) / iterations;
}

template <class PathOf>
void experiment(const char* what, int value, int iterations, PathOf pathOf) {
  std::vector<int> paths(32);
  for (int lane = 0; lane < 32; ++lane)
    paths[lane] = pathOf(lane);
  printf("%-28s %2d  %9.1f cycles an iteration\n", what, value, run(paths, iterations));
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? atoi(argv[1]) : 20;
  for (int count : {1, 2, 3, 4, 8, 16, 32})
    experiment("number of paths", count, iterations,
               [=](int lane) { return lane < count - 1 ? lane + 1 : 0; });
  for (int where : {0, 7, 16, 31})
    experiment("the lane that leaves", where, iterations,
               [=](int lane) { return lane == where ? 1 : 0; });
  experiment("groups of lanes", 8, iterations, [](int lane) { return lane / 8; });
  experiment("scattered lanes", 8, iterations, [](int lane) { return lane % 4; });
  experiment("groups of lanes", 16, iterations, [](int lane) { return lane / 16; });
  experiment("scattered lanes", 16, iterations, [](int lane) { return lane % 2; });
  for (int size : {1, 8, 16, 24, 31})
    experiment("lanes that leave", size, iterations, [=](int lane) { return lane < size ? 1 : 0; });
  printf(failures ? "FAIL: %d differences\n" : "PASS\n", failures);
  return failures != 0;
}
