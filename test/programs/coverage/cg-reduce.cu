// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: reduce
// cg::reduce over warps, smaller tiles and coalesced groups, with the library's and own operators.
#include <climits>
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define GPU_CHECK(x)                                                                               \
  if ((x) != cudaSuccess) {                                                                        \
    fprintf(stderr, "%s failed in line %d\n", #x, __LINE__);                                       \
    puts("FAIL");                                                                                  \
    exit(1);                                                                                       \
  }

struct Pair {
  int value, index;
};
struct Largest {
  __device__ Pair operator()(const Pair& a, const Pair& b) const {
    return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
  }
};

__global__ void reductions(const int* in, int n, int* out, Pair* best) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ int partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
  int sum = cg::reduce(warp, v, cg::plus<int>());
  if (warp.thread_rank() == 0)
    partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    int p = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0;
    p = cg::reduce(warp, p, cg::plus<int>());
    if (warp.thread_rank() == 0)
      atomicAdd(&out[0], p);
  }
  auto eight = cg::tiled_partition<8>(block);
  int most = cg::reduce(eight, v, cg::greater<int>()),
      least = cg::reduce(eight, v, cg::less<int>());
  unsigned bits = cg::reduce(eight, (unsigned)v, cg::bit_or<unsigned>());
  if (eight.thread_rank() == 0) {
    atomicMax(&out[1], most);
    atomicMin(&out[2], least);
    atomicOr((unsigned*)&out[3], bits);
  }
  Pair mine = {v, i};
  Pair top = cg::reduce(warp, mine, Largest());
  if (warp.thread_rank() == 0)
    best[i / 32] = top;
  if (v % 2) {
    cg::coalesced_group odd = cg::coalesced_threads();
    double s = cg::reduce(odd, (double)v, cg::plus<double>());
    if (odd.thread_rank() == 0)
      atomicAdd(&out[4], (int)s);
  }
}

int main(int argc, char** argv) {
  int n = (argc > 1 ? atoi(argv[1]) : 1024) / 128 * 128;
  int *in, *out;
  Pair* best;
  GPU_CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  GPU_CHECK(cudaMallocManaged(&out, 5 * sizeof(int)));
  GPU_CHECK(cudaMallocManaged(&best, n / 32 * sizeof(Pair)));
  int want[5] = {0, INT_MIN, INT_MAX, 0, 0};
  for (int i = 0; i < 5; ++i)
    out[i] = want[i];
  for (int i = 0; i < n; ++i) {
    int v = in[i] = i * 53 % 211 - 40;
    want[0] += v;
    want[1] = v > want[1] ? v : want[1];
    want[2] = v < want[2] ? v : want[2];
    want[3] |= v;
    want[4] += v % 2 ? v : 0;
  }
  reductions<<<n / 128, 128>>>(in, n, out, best);
  GPU_CHECK(cudaGetLastError());
  GPU_CHECK(cudaDeviceSynchronize());
  bool ok = true;
  for (int i = 0; i < 5; ++i)
    if (out[i] != want[i]) {
      printf("result %d is %d, expected %d\n", i, out[i], want[i]);
      ok = false;
    }
  for (int w = 0; w < n / 32; ++w) {
    Pair p = {in[w * 32], w * 32};
    for (int l = 1; l < 32; ++l)
      if (in[w * 32 + l] > p.value)
        p = {in[w * 32 + l], w * 32 + l};
    ok = ok && p.value == best[w].value && p.index == best[w].index;
  }
  cudaFree(in), cudaFree(out), cudaFree(best);
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}
