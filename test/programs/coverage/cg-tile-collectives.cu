// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: tiles, cooperative groups: votes and match
// Shuffles, votes and matches of tiles of 8: each thread keeps what it got, the host redoes it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Seen {
  int up, down, exchanged, first;
  unsigned ballot, matchAny, matchAll;
  int all, any, predicate;
};

__global__ void collect(const int* in, Seen* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  Seen s;
  s.up = tile.shfl_up(v, 2);
  s.down = tile.shfl_down(v, 3);
  s.exchanged = tile.shfl_xor(v, 5);
  s.first = tile.shfl(v, 6);
  s.ballot = tile.ballot(v % 2);
  s.all = tile.all(v > 0);
  s.any = tile.any(v > 3);
  s.matchAny = tile.match_any(v);
  s.matchAll = tile.match_all(v / 4, s.predicate);
  out[i] = s;
}

int main() {
  const int n = 256;
  std::vector<int> in(n);
  std::vector<Seen> out(n);
  for (int i = 0; i < n; ++i)
    in[i] = (i / 8 * 5 + i % 8 * (i / 8 % 4)) % 6;
  int* din;
  Seen* dout;
  if (cudaMalloc(&din, n * sizeof(int)) || cudaMalloc(&dout, n * sizeof(Seen)))
    return puts("FAIL"), 1;
  cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  collect<<<2, n / 2>>>(din, dout);
  if (cudaError_t e = cudaMemcpy(out.data(), dout, n * sizeof(Seen), cudaMemcpyDeviceToHost)) {
    printf("%s\nFAIL\n", cudaGetErrorString(e));
    return 1;
  }
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    const int* t = &in[i / 8 * 8];
    int r = i % 8;
    unsigned ballot = 0, match = 0;
    bool all = true, any = false, same = true;
    for (int k = 0; k < 8; ++k) {
      ballot |= (unsigned)(t[k] % 2) << k;
      match |= (unsigned)(t[k] == t[r]) << k;
      all = all && t[k] > 0;
      any = any || t[k] > 3;
      same = same && t[k] / 4 == t[0] / 4;
    }
    const Seen& s = out[i];
    bool ok = s.up == t[r >= 2 ? r - 2 : r] && s.down == t[r + 3 < 8 ? r + 3 : r] &&
              s.exchanged == t[r ^ 5] && s.first == t[6] && s.ballot == ballot && !s.all == !all &&
              !s.any == !any && s.matchAny == match && s.matchAll == (same ? 255u : 0u) &&
              !s.predicate == !same;
    if (!ok && bad++ < 5)
      printf("thread %d: ballot %x (%x), match %x (%x), all %x\n", i, s.ballot, ballot, s.matchAny,
             match, s.matchAll);
  }
  cudaFree(din);
  cudaFree(dout);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
