// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector: a thread a row, rows of very different length.
#include "../corpus/common.h"

__global__ void multiplyRows(const int* start, const int* column, const float* value,
                             const float* x, float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 600000);
  Random random(11);
  std::vector<int> start(n + 1, 0), column;
  std::vector<float> value, x(n);
  for (int row = 0; row < n; ++row) {
    int length = 4 + (random.next() % 16 == 0 ? random.next() % 60 : random.next() % 12);
    for (int k = 0; k < length; ++k) {
      column.push_back((row + random.next() % 2000) % n);
      value.push_back(random.uniform());
    }
    start[row + 1] = (int)column.size();
    x[row] = random.uniform();
  }
  float* y = allocate<float>(n);
  int *s = upload(start), *c = upload(column);
  float *v = upload(value), *dx = upload(x);
  multiplyRows<<<(n + 255) / 256, 256>>>(s, c, v, dx, y, n);
  std::vector<float> got = download(y, n);
  bool passed = true;
  for (int row = 0; row < n; row += 997) {
    double sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k)
      sum += double(value[k]) * x[column[k]];
    passed &= near(got[row], sum, 1e-3);
  }
  return verdict(passed);
}
