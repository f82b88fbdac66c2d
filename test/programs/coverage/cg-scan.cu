// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: scan
// cg::inclusive_scan and exclusive_scan of tiles and coalesced groups; a stream compaction with
// one.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

inline void ok(cudaError_t e) {
  if (e) {
    printf("%s\nFAIL\n", cudaGetErrorString(e));
    exit(1);
  }
}

__global__ void scans(const int* in, int* inclusive, int* exclusive, int* maxima) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, in[i]);
  exclusive[i] = cg::exclusive_scan(tile, in[i], cg::plus<int>());
  maxima[i] = cg::inclusive_scan(tile, in[i], cg::greater<int>());
}

// The order is kept: each warp takes its place in turn of the host's prefix.
__global__ void compact(const int* in, const int* warpStart, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int keep = in[i] % 3 == 0;
  int place = cg::exclusive_scan(warp, keep);
  if (keep)
    out[warpStart[i / 32] + place] = in[i];
}

int main(int argc, char** argv) {
  int n = (argc > 1 ? atoi(argv[1]) : 768) / 128 * 128;
  std::vector<int> in(n), a(n), b(n), c(n), starts, kept;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 31 % 101 - 20;
    if (i % 32 == 0)
      starts.push_back((int)kept.size());
    if (in[i] % 3 == 0)
      kept.push_back(in[i]);
  }
  int *din, *da, *db, *dc, *ds;
  for (int** p : {&din, &da, &db, &dc, &ds})
    ok(cudaMalloc(p, n * sizeof(int)));
  ok(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(ds, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
  scans<<<n / 128, 128>>>(din, da, db, dc);
  ok(cudaGetLastError());
  ok(cudaMemcpy(a.data(), da, n * sizeof(int), cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(b.data(), db, n * sizeof(int), cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(c.data(), dc, n * sizeof(int), cudaMemcpyDeviceToHost));
  compact<<<n / 128, 128>>>(din, ds, da);
  ok(cudaGetLastError());
  std::vector<int> compacted(kept.size());
  ok(cudaMemcpy(compacted.data(), da, kept.size() * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = compacted != kept;
  for (int t = 0; t < n; t += 16) {
    int sum = 0, most = in[t];
    for (int i = t; i < t + 16; ++i) {
      bad += b[i] != sum;
      sum += in[i];
      most = in[i] > most ? in[i] : most;
      bad += a[i] != sum;
      bad += c[i] != most;
    }
  }
  for (int* p : {din, da, db, dc, ds})
    cudaFree(p);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
