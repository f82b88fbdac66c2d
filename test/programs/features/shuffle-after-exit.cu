// SPDX-License-Identifier: Apache-2.0
// A shuffle and a vote whose mask names lanes that have nothing left but to return: they wait for
// the lanes that have not.
#include "../check.h"

__global__ void exchange(int* out, unsigned* voters, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    out[i] = __shfl_xor_sync(0xffffffff, i, 1);
    voters[i] = __ballot_sync(0xffffffff, i & 1);
  }
}

int main() {
  constexpr int n = 20;
  DeviceArray<int> out(n);
  DeviceArray<unsigned> voters(n);
  exchange<<<1, 32>>>(out, voters, n);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) { return int(i ^ 1); });
  expectArray("voters", voters.read(), [](size_t) { return 0xaaaaau; });
  return finish();
}
