// SPDX-License-Identifier: Apache-2.0
// Many tridiagonal systems by the Thomas algorithm, one thread each, stored column by column.
#include "common.h"

__global__ void thomas(const float* lower, const float* diagonal, const float* upper, float* right,
                       float* scratch, int n, int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float beta = diagonal[s];
  right[s] /= beta;
  for (int i = 1; i < n; ++i) {
    int at = i * systems + s;
    scratch[at] = upper[at - systems] / beta;
    beta = diagonal[at] - lower[at] * scratch[at];
    right[at] = (right[at] - lower[at] * right[at - systems]) / beta;
  }
  for (int i = n - 2; i >= 0; --i)
    right[i * systems + s] -= scratch[(i + 1) * systems + s] * right[(i + 1) * systems + s];
}

int main(int argc, char** argv) {
  int systems = argument(argc, argv, 256), n = 48;
  Random random(3);
  std::vector<float> lower(n * systems), diagonal(n * systems), upper(n * systems),
      right(n * systems);
  for (int i = 0; i < n * systems; ++i) {
    lower[i] = random.uniform() - 0.5f;
    upper[i] = random.uniform() - 0.5f;
    diagonal[i] = 2.0f + random.uniform();
    right[i] = random.uniform();
  }
  float *l = upload(lower), *d = upload(diagonal), *u = upload(upper), *r = upload(right);
  thomas<<<(systems + 63) / 64, 64>>>(l, d, u, r, allocate<float>(n * systems), n, systems);
  std::vector<float> x = download(r, n * systems);
  bool passed = true;
  for (int s = 0; s < systems; ++s)
    for (int i = 0; i < n; ++i) {
      int at = i * systems + s;
      float sum = diagonal[at] * x[at];
      if (i > 0)
        sum += lower[at] * x[at - systems];
      if (i + 1 < n)
        sum += upper[at] * x[at + systems];
      passed &= near(sum, right[at], 1e-4);
    }
  return verdict(passed);
}
