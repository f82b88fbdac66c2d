// SPDX-License-Identifier: Apache-2.0
// COVERS: warp shuffles, warp votes, warp match, __reduce_sync, __syncwarp, __activemask
// Shuffles of several types and widths, votes, matches and warp reductions, against the host.
#include <cstdio>
#include <cstdlib>

#define N 128
#define OPS 15
#define FULL 0xffffffffu

__global__ void compute(const int* in, long long* out) {
  int t = threadIdx.x, lane = t % 32, v = in[t];
  long long* o = out + OPS * t;
  o[0] = __shfl_sync(FULL, v, 5);
  o[1] = __shfl_up_sync(FULL, v, 3);
  o[2] = __shfl_down_sync(FULL, v, 4, 16);
  o[3] = __shfl_xor_sync(FULL, v, 9);
  o[4] = __shfl_sync(FULL, (long long)v << 35, lane ^ 1);
  o[5] = (long long)(__shfl_xor_sync(FULL, v * 0.5, 2) * 4);
  o[6] = __ballot_sync(FULL, v > 10);
  o[7] = __any_sync(FULL, v == 17) != 0;
  o[8] = __all_sync(FULL, v >= 0) != 0;
  o[9] = __match_any_sync(FULL, v % 4);
  int same;
  o[10] = __match_all_sync(FULL, v / 100, &same);
  o[10] += same;
  o[11] = (long long)__reduce_add_sync(FULL, (unsigned)v) + __reduce_max_sync(FULL, v) * 100000LL;
  o[12] = __reduce_or_sync(FULL, (unsigned)v) + 1000LL * __reduce_and_sync(FULL, (unsigned)v | 64u);
  o[13] = 0;
  if (lane < 20) { // part of the warp
    __syncwarp(0xfffffu);
    int sum = v;
    for (int k = 1; k < 20; ++k)
      sum += __shfl_sync(0xfffffu, v, (lane + k) % 20);
    o[13] = sum;
  }
  __syncwarp();
  o[14] = (__activemask() >> lane & 1) + __popc(FULL << lane);
}

int main() {
  int* in;
  long long* out;
  if (cudaMallocManaged(&in, N * 4) || cudaMallocManaged(&out, N * OPS * 8))
    return puts("FAIL"), 1;
  for (int i = 0; i < N; ++i)
    in[i] = i * 13 % 29;
  compute<<<1, N>>>(in, out);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int t = 0; t < N; ++t) {
    const int* w = in + t / 32 * 32;
    int l = t % 32;
    unsigned ballot = 0, match = 0, sum = 0, any = 0, both = FULL, all = 0;
    int most = -1, part = 0;
    for (int k = 0; k < 32; ++k) {
      ballot |= (unsigned)(w[k] > 10) << k;
      match |= (unsigned)(w[k] % 4 == w[l] % 4) << k;
      sum += (unsigned)w[k];
      any |= w[k] == 17;
      all |= (unsigned)w[k];
      both &= (unsigned)w[k] | 64u;
      most = w[k] > most ? w[k] : most;
      part += k < 20 ? w[k] : 0;
    }
    long long want[OPS] = {w[5],
                           w[l >= 3 ? l - 3 : l],
                           w[l % 16 + 4 < 16 ? l + 4 : l],
                           w[l ^ 9],
                           (long long)w[l ^ 1] << 35,
                           w[l ^ 2] * 2,
                           ballot,
                           any,
                           1,
                           match,
                           (long long)FULL + 1,
                           sum + most * 100000LL,
                           all + 1000LL * both,
                           l < 20 ? part : 0,
                           33 - l};
    for (int k = 0; k < OPS; ++k)
      if (out[OPS * t + k] != want[k] && bad++ < 8)
        printf("operation %d in thread %d: %lld, expected %lld\n", k, t, out[OPS * t + k], want[k]);
  }
  cudaFree(in);
  cudaFree(out);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
