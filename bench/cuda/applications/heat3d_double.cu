// SPDX-License-Identifier: Apache-2.0
// Explicit 3D heat equation in double precision with a pulsed heater and a convergence monitor.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t e_ = (call);                                                                       \
    if (e_ != cudaSuccess) {                                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));                  \
      exit(2);                                                                                     \
    }                                                                                              \
  } while (0)

#define IDX(i, j, k) (((size_t)(k) * n + (j)) * n + (i))
#define STEPS 10
#define HEATER_PERIOD 4

static const double kAlpha = 0.12;

__host__ __device__ inline double initial(int i, int j, int k, int n) {
  double x = (double)i / (n - 1), y = (double)j / (n - 1), z = (double)k / (n - 1);
  return 20.0 + 60.0 * x * (1.0 - x) * y + 15.0 * z * z;
}

__global__ void init_field(double* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < n && j < n && k < n)
    t[IDX(i, j, k)] = initial(i, j, k, n);
}

__global__ void heat_step(const double* in, double* out, int n, double alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= n || j >= n || k >= n)
    return;
  size_t c = IDX(i, j, k);
  if (i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1) {
    out[c] = in[c];
    return;
  }
  double lap = in[c - 1] + in[c + 1] + in[c - n] + in[c + n] + in[c - (size_t)n * n] +
               in[c + (size_t)n * n] - 6.0 * in[c];
  out[c] = in[c] + alpha * lap;
}

// The heater is a ball in the middle of the box.
__global__ void heater(double* t, int n, double power) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y + 1;
  int k = blockIdx.z + 1;
  if (i >= n - 1)
    return;
  double dx = i - 0.5 * n, dy = j - 0.5 * n, dz = k - 0.5 * n;
  double r = sqrt(dx * dx + dy * dy + dz * dz);
  if (r < 0.2 * n)
    t[IDX(i, j, k)] += power * (1.0 - r / (0.2 * n));
}

__global__ void change_per_block(const double* a, const double* b, double* partial, int total) {
  __shared__ double s[256];
  double m = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x)
    m = fmax(m, fabs(a[i] - b[i]));
  s[threadIdx.x] = m;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w)
      s[threadIdx.x] = fmax(s[threadIdx.x], s[threadIdx.x + w]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = s[0];
}

static void host_reference(std::vector<double>& a, int n, double& change) {
  std::vector<double> b(a.size());
  for (int s = 0; s < STEPS; s++) {
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          size_t c = IDX(i, j, k);
          if (i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1) {
            b[c] = a[c];
            continue;
          }
          double lap = a[c - 1] + a[c + 1] + a[c - n] + a[c + n] + a[c - (size_t)n * n] +
                       a[c + (size_t)n * n] - 6.0 * a[c];
          b[c] = a[c] + kAlpha * lap;
        }
    if (s % HEATER_PERIOD == HEATER_PERIOD - 1)
      for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
          for (int i = 1; i < n - 1; i++) {
            double dx = i - 0.5 * n, dy = j - 0.5 * n, dz = k - 0.5 * n;
            double r = sqrt(dx * dx + dy * dy + dz * dz);
            if (r < 0.2 * n)
              b[IDX(i, j, k)] += 5.0 * (1.0 - r / (0.2 * n));
          }
    a.swap(b);
  }
  change = 0.0;
  for (size_t c = 0; c < a.size(); c++)
    change = fmax(change, fabs(a[c] - b[c]));
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 48;
  if (n < 8) {
    printf("FAIL size too small\n");
    return 1;
  }
  size_t total = (size_t)n * n * n;
  const int kBlocks = 128;
  double *a, *b, *partial;
  CHECK(cudaMalloc(&a, total * sizeof(double)));
  CHECK(cudaMalloc(&b, total * sizeof(double)));
  CHECK(cudaMalloc(&partial, kBlocks * sizeof(double)));

  dim3 block(8, 8, 4);
  dim3 grid((n + 7) / 8, (n + 7) / 8, (n + 3) / 4);
  init_field<<<grid, block>>>(a, n);
  CHECK(cudaGetLastError());
  double change = 0.0;
  std::vector<double> hp(kBlocks);
  for (int s = 0; s < STEPS; s++) {
    heat_step<<<grid, block>>>(a, b, n, kAlpha);
    if (s % HEATER_PERIOD == HEATER_PERIOD - 1)
      heater<<<dim3((n - 2 + 63) / 64, n - 2, n - 2), 64>>>(b, n, 5.0);
    if (s % 3 == 0) {
      change_per_block<<<kBlocks, 256>>>(a, b, partial, (int)total);
      CHECK(cudaMemcpy(hp.data(), partial, kBlocks * sizeof(double), cudaMemcpyDeviceToHost));
      change = 0.0;
      for (double v : hp)
        change = fmax(change, v);
    }
    double* t = a;
    a = b;
    b = t;
  }
  CHECK(cudaDeviceSynchronize());

  std::vector<double> got(total), ref(total);
  CHECK(cudaMemcpy(got.data(), a, total * sizeof(double), cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        ref[IDX(i, j, k)] = initial(i, j, k, n);
  double refChange;
  host_reference(ref, n, refChange);
  double err = 0.0, sum = 0.0;
  for (size_t c = 0; c < total; c++) {
    err = fmax(err, fabs(got[c] - ref[c]));
    sum += got[c];
  }
  printf("mean temperature %.6f, last change %.6f\n", sum / total, change);
  cudaFree(a);
  cudaFree(b);
  cudaFree(partial);
  if (err > 1e-9 || !(fabs(change - refChange) < 1e-9)) {
    printf("FAIL error %g change %g expected %g\n", err, change, refChange);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
