// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: WarpReduce, cub: WarpScan
// Reductions and scans of warps and of half warps by CUB; a segmented reduction by head flags.
#include <cstdio>
#include <cstdlib>

#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#define THREADS 128

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void warps(const int* in, int* sums, int* halves, int* segments, int* scans,
                      int* maxima) {
  using Reduce = cub::WarpReduce<int>;
  using Half = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int>;
  __shared__ Reduce::TempStorage reduce[THREADS / 32];
  __shared__ Half::TempStorage half[THREADS / 16];
  __shared__ Scan::TempStorage scan[THREADS / 32];
  int t = threadIdx.x, warp = t / 32, v = in[t];
  int sum = Reduce(reduce[warp]).Sum(v);
  if (t % 32 == 0)
    sums[warp] = sum;
  int most = Half(half[t / 16]).Reduce(v, Larger());
  if (t % 16 == 0)
    halves[t / 16] = most;
  __syncwarp();
  int segment = Reduce(reduce[warp]).HeadSegmentedSum(v, t % 32 % 5 == 0);
  if (t % 32 % 5 == 0)
    segments[t] = segment;
  int exclusive, inclusive;
  Scan(scan[warp]).ExclusiveSum(v, exclusive);
  __syncwarp();
  Scan(scan[warp]).InclusiveScan(v, inclusive, Larger());
  scans[t] = exclusive;
  maxima[t] = inclusive;
}

int main() {
  int* m;
  if (cudaMallocManaged(&m, 6 * THREADS * sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  int *in = m, *sums = m + THREADS, *halves = m + 2 * THREADS, *segments = m + 3 * THREADS,
      *scans = m + 4 * THREADS, *maxima = m + 5 * THREADS;
  for (int t = 0; t < THREADS; ++t)
    in[t] = t * 23 % 61 - 30;
  warps<<<1, THREADS>>>(in, sums, halves, segments, scans, maxima);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int w = 0; w < THREADS / 32; ++w) {
    int sum = 0, most = -1000;
    for (int l = 0; l < 32; ++l) {
      int t = w * 32 + l;
      bad += scans[t] != sum;
      sum += in[t];
      most = in[t] > most ? in[t] : most;
      bad += maxima[t] != most;
      if (l % 5 == 0) {
        int s = 0;
        for (int k = l; k < 32 && (k == l || k % 5); ++k)
          s += in[w * 32 + k];
        bad += segments[t] != s;
      }
    }
    bad += sums[w] != sum;
  }
  for (int h = 0; h < THREADS / 16; ++h) {
    int most = -1000;
    for (int l = 0; l < 16; ++l)
      most = in[h * 16 + l] > most ? in[h * 16 + l] : most;
    bad += halves[h] != most;
  }
  cudaFree(m);
  printf("%s: %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
