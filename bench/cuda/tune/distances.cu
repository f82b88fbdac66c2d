// SPDX-License-Identifier: Apache-2.0
//
// Distances on a sphere between pairs of places: sines, cosines and a root.
#include "../corpus/common.h"

__host__ __device__ float distance(float4 pair) {
  float a = sinf(0.5f * (pair.z - pair.x)), b = sinf(0.5f * (pair.w - pair.y));
  float h = a * a + cosf(pair.x) * cosf(pair.z) * b * b;
  return 2.0f * asinf(sqrtf(fminf(h, 1.0f)));
}

__global__ void measurePairs(const float4* pairs, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = distance(pairs[i]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 800000);
  Random random(41);
  std::vector<float4> pairs(n);
  for (float4& pair : pairs)
    pair = {3 * random.uniform() - 1.5f, 6 * random.uniform(), 3 * random.uniform() - 1.5f,
            6 * random.uniform()};
  float4* p = upload(pairs);
  float* out = allocate<float>(n);
  measurePairs<<<(n + 255) / 256, 256>>>(p, out, n);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= near(got[i], distance(pairs[i]), 1e-3);
  return verdict(passed);
}
