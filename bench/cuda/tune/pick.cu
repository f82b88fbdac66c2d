// SPDX-License-Identifier: Apache-2.0
//
// Values picked from anywhere in a table and mixed with their neighbours.
#include "../corpus/common.h"

__global__ void pickValues(const float* table, const unsigned* places, float* out, int n,
                           int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned at = places[i];
  float left = table[at], right = table[at + 1 < (unsigned)count ? at + 1 : 0];
  out[i] = 0.75f * left + 0.25f * right;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1500000), count = 500000;
  Random random(23);
  std::vector<float> table(count);
  std::vector<unsigned> places(n);
  for (float& value : table)
    value = random.uniform();
  for (unsigned& place : places)
    place = random.next() % count;
  float *t = upload(table), *out = allocate<float>(n);
  unsigned* p = upload(places);
  pickValues<<<(n + 255) / 256, 256>>>(t, p, out, n, count);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= near(got[i], 0.75 * table[places[i]] + 0.25 * table[(places[i] + 1) % count], 1e-5);
  return verdict(passed);
}
