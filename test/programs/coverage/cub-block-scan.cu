// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: BlockScan
// Prefix sums over blocks with several items for each thread, carried from tile to tile by a
// callback.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/block/block_scan.cuh>

constexpr int BLOCK = 128, ITEMS = 4;

// What the first warp keeps between tiles.
struct RunningPrefix {
  int total;
  __device__ explicit RunningPrefix(int start) : total(start) {}
  __device__ int operator()(int tile) {
    int before = total;
    total += tile;
    return before;
  }
};

__global__ void scanAll(const int* in, int* exclusive, int n) {
  using Scan = cub::BlockScan<int, BLOCK>;
  __shared__ Scan::TempStorage storage;
  RunningPrefix prefix(100);
  for (int base = 0; base < n; base += BLOCK * ITEMS) {
    int v[ITEMS];
    for (int k = 0; k < ITEMS; ++k) {
      int i = base + threadIdx.x * ITEMS + k;
      v[k] = i < n ? in[i] : 0;
    }
    Scan(storage).ExclusiveSum(v, v, prefix);
    __syncthreads();
    for (int k = 0; k < ITEMS; ++k) {
      int i = base + threadIdx.x * ITEMS + k;
      if (i < n)
        exclusive[i] = v[k];
    }
  }
}

struct Max {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

__global__ void blockMaxima(const int* in, int* running, int* totals) {
  using Scan = cub::BlockScan<int, BLOCK, cub::BLOCK_SCAN_RAKING>;
  __shared__ Scan::TempStorage storage;
  int i = blockIdx.x * BLOCK + threadIdx.x, v, total;
  Scan(storage).InclusiveScan(in[i], v, Max(), total);
  running[i] = v;
  if (threadIdx.x == BLOCK - 1)
    totals[blockIdx.x] = total;
}

int main(int argc, char** argv) {
  int n = (argc > 1 ? atoi(argv[1]) : 1280) / BLOCK * BLOCK;
  std::vector<int> in(n), exclusive(n), running(n), totals(n / BLOCK);
  for (int i = 0; i < n; ++i)
    in[i] = i * 29 % 173 - 60;
  int *din, *da, *db, *dt;
  if (cudaMalloc(&din, n * 4) || cudaMalloc(&da, n * 4) || cudaMalloc(&db, n * 4) ||
      cudaMalloc(&dt, n * 4))
    return puts("FAIL"), 1;
  cudaMemcpy(din, in.data(), n * 4, cudaMemcpyHostToDevice);
  scanAll<<<1, BLOCK>>>(din, da, n);
  blockMaxima<<<n / BLOCK, BLOCK>>>(din, db, dt);
  cudaMemcpy(exclusive.data(), da, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(running.data(), db, n * 4, cudaMemcpyDeviceToHost);
  cudaError_t status = cudaMemcpy(totals.data(), dt, totals.size() * 4, cudaMemcpyDeviceToHost);
  int bad = status != cudaSuccess, sum = 100, most = 0;
  for (int i = 0; i < n; ++i) {
    bad += exclusive[i] != sum;
    sum += in[i];
    most = i % BLOCK == 0 || in[i] > most ? in[i] : most;
    bad += running[i] != most;
    if (i % BLOCK == BLOCK - 1)
      bad += totals[i / BLOCK] != most;
  }
  cudaFree(din), cudaFree(da), cudaFree(db), cudaFree(dt);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(status), bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
