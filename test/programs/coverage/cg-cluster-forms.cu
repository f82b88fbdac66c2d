// SPDX-License-Identifier: Apache-2.0
// COVERS: clusters, clusters: distributed shared memory
// Clusters by a template's argument and by a constant; addresses in other blocks through structs,
// wide loads and a function that is not inlined; a sum of floats in another block.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int C = 4;

template <int N, class T>
__global__ void __launch_bounds__(64) __cluster_dims__(N, 1, 1) sums(T* data) {
  __shared__ T box[64];
  cg::cluster_group c = cg::this_cluster();
  box[threadIdx.x] = (T)(blockIdx.x * 100 + threadIdx.x);
  c.sync();
  T s = 0;
  for (unsigned r = 0; r < c.num_blocks(); ++r)
    s += c.map_shared_rank(box, r)[threadIdx.x ^ 1];
  c.sync();
  data[blockIdx.x * 64 + threadIdx.x] = s;
}

__cluster_dims__(C) __global__ void ranks(int* data) {
  data[blockIdx.x] = (int)(cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank());
}

struct Ref {
  float4* p;
};

__device__ __noinline__ float4 get(Ref r, int i) {
  return r.p[i];
}

__global__ void __cluster_dims__(2, 2) wide(float* out) {
  __shared__ float4 t[32];
  cg::cluster_group c = cg::this_cluster();
  unsigned rank = c.block_rank();
  t[threadIdx.x] = make_float4((float)rank, (float)threadIdx.x, 2, 3);
  c.sync();
  Ref r{c.map_shared_rank(t, 3 - rank)};
  float4 f = get(r, 31 - threadIdx.x);
  atomicAdd(&c.map_shared_rank(t, (rank + 1) % 4)->z, 1.0f);
  c.sync();
  int b = blockIdx.x + gridDim.x * blockIdx.y;
  out[b * 32 + threadIdx.x] = f.x * 1000 + f.y + t[0].z * 10000;
}

static bool ok = true;

void expect(double got, double want, const char* what, int at) {
  if (got != want && ok) {
    printf("%s: [%d] is %g, expected %g\n", what, at, got, want);
    ok = false;
  }
}

int main() {
  int *d, h[64 * 8];
  cudaMalloc(&d, sizeof h);
  sums<2, int><<<8, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i)
    expect(h[i], (i / 128 * 4 + 1) * 100 + 2 * (i % 64 ^ 1), "sums of two", i);
  sums<8, int><<<8, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i)
    expect(h[i], 2800 + 8 * (i % 64 ^ 1), "sums of eight", i);
  ranks<<<8, 1>>>(d);
  cudaMemcpy(h, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i)
    expect(h[i], 40 + i % 4, "ranks", i);
  float g[256];
  wide<<<dim3(2, 4), 32>>>((float*)d);
  cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    int b = i / 32, rank = b % 2 + 2 * (b / 2 % 2);
    expect(g[i], (3 - rank) * 1000 + 31 - i % 32 + 340000.0f, "wide", i);
  }
  ok = ok && cudaGetLastError() == cudaSuccess && cudaFree(d) == cudaSuccess;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
