// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for a sparse symmetric system in compressed rows.
#include "common.h"

__global__ void multiplyRows(const int* start, const int* column, const double* value,
                             const double* x, double* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    double sum = 0;
    for (int k = start[row]; k < start[row + 1]; ++k)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

__global__ void dotProduct(const double* a, const double* b, double* result, int n) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *result = part[0];
}

__global__ void addScaled(double* y, const double* x, double factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += factor * x[i];
}

__global__ void newDirection(double* p, const double* r, double beta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = r[i] + beta * p[i];
}

double* scratch;

double dot(const double* a, const double* b, int n) {
  dotProduct<<<1, 256>>>(a, b, scratch, n);
  return download(scratch, 1)[0];
}

int main(int argc, char** argv) {
  int side = argument(argc, argv, 32), n = side * side, grid = (n + 127) / 128;
  std::vector<int> start(1, 0), column;
  std::vector<double> value, right(n);
  for (int i = 0; i < n; ++i) {
    int x = i % side, y = i / side;
    int around[5] = {i, x > 0 ? i - 1 : -1, x + 1 < side ? i + 1 : -1, y > 0 ? i - side : -1,
                     y + 1 < side ? i + side : -1};
    for (int k = 0; k < 5; ++k)
      if (around[k] >= 0) {
        column.push_back(around[k]);
        value.push_back(k == 0 ? 5.0 : -1.0);
      }
    start.push_back((int)column.size());
    right[i] = i % 17 - 8;
  }
  int *s = upload(start), *c = upload(column);
  double *v = upload(value), *r = upload(right), *p = upload(right), *x = allocate<double>(n),
         *q = allocate<double>(n);
  scratch = allocate<double>(1);
  double rho = dot(r, r, n);
  for (int step = 0; step < 4; ++step) {
    multiplyRows<<<grid, 128>>>(s, c, v, p, q, n);
    double alpha = rho / dot(p, q, n);
    addScaled<<<grid, 128>>>(x, p, alpha, n);
    addScaled<<<grid, 128>>>(r, q, -alpha, n);
    double next = dot(r, r, n);
    newDirection<<<grid, 128>>>(p, r, next / rho, n);
    rho = next;
  }
  std::vector<double> solution = download(x, n), left = download(r, n);
  bool passed = true;
  for (int i = 0; i < n; ++i) {
    double residual = right[i];
    for (int k = start[i]; k < start[i + 1]; ++k)
      residual -= value[k] * solution[column[k]];
    passed &= near(residual, left[i], 1e-9);
  }
  double before = 0;
  for (double each : right)
    before += each * each;
  return verdict(passed && rho < before * 0.01);
}
