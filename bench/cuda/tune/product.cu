// SPDX-License-Identifier: Apache-2.0
// A product of matrices as it is first written: an element a thread.
#include "../corpus/common.h"

__global__ void multiplyMatrices(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 500);
  Random random(5);
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = random.uniform();
    b[i] = random.uniform();
  }
  float *da = upload(a), *db = upload(b), *dc = allocate<float>(n * n);
  multiplyMatrices<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(da, db, dc, n);
  std::vector<float> got = download(dc, n * n);
  bool passed = true;
  for (int i = 0; i < n * n; i += 4999) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum += double(a[i / n * n + k]) * b[k * n + i % n];
    passed &= near(got[i], sum, 1e-3);
  }
  return verdict(passed);
}
