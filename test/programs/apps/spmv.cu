// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector in compressed rows: a thread to a row, and a warp to a row. Arguments:
// rows.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__global__ void spmvScalar(int rows, const int* ptr, const int* col, const double* val,
                           const double* x, double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    double dot = 0;
    for (int j = ptr[row]; j < ptr[row + 1]; ++j)
      dot += val[j] * x[col[j]];
    y[row] = dot;
  }
}

__global__ void spmvVector(int rows, const int* ptr, const int* col, const double* val,
                           const double* x, double* y) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int row = thread / 32, lane = thread & 31;
  if (row >= rows)
    return;
  double dot = 0;
  for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32)
    dot += val[j] * x[col[j]];
  for (int offset = 16; offset > 0; offset >>= 1)
    dot += __shfl_down_sync(0xffffffff, dot, offset);
  if (lane == 0)
    y[row] = dot;
}

template <class T> T* toDevice(const std::vector<T>& host) {
  T* device;
  CUDA_CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<int> ptr(1, 0), col;
  std::vector<double> val, x(rows), want(rows, 0.0), got(rows);
  for (int i = 0; i < rows; ++i)
    x[i] = i % 9 - 4;
  for (int row = 0; row < rows; ++row) {
    int length = row % 50 == 0 ? 200 : row * 7 % 13; // a few long rows, some empty
    for (int k = 0; k < length; ++k) {
      col.push_back((row * 31 + k * 17) % rows);
      val.push_back((row + k) % 8 * 0.25);
      want[row] += val.back() * x[col.back()];
    }
    ptr.push_back((int)col.size());
  }
  int *d_ptr = toDevice(ptr), *d_col = toDevice(col);
  double *d_val = toDevice(val), *d_x = toDevice(x), *d_y = toDevice(got);
  for (int version = 0; version < 2; ++version) {
    CUDA_CHECK(cudaMemset(d_y, 0xff, rows * sizeof(double)));
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    if (version == 0)
      spmvScalar<<<(rows + 127) / 128, 128>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
    else
      spmvVector<<<(rows * 32 + 127) / 128, 128>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaMemcpy(got.data(), d_y, rows * sizeof(double), cudaMemcpyDeviceToHost));
    printf("%s: %zu non-zeros, %.3f ms\n", version ? "a warp to a row" : "a thread to a row",
           col.size(), ms);
    for (int row = 0; row < rows; ++row)
      if (got[row] != want[row]) { // quarters: exact in any order
        printf("FAIL: row %d is %f, expected %f\n", row, got[row], want[row]);
        return 1;
      }
  }
  printf("PASS\n");
  return 0;
}
