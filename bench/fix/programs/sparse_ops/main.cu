// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector in CSR and ELL, and times a narrow matrix.
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>

#include "kernels.cuh"
#include "matrix.hpp"

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { \
    std::cerr << "Error at " << __FILE__ << ":" << __LINE__ << std::endl; return EXIT_FAILURE; } } while (0)

class Stopwatch {
 public:
  Stopwatch() { cudaEventCreate(&a_); cudaEventCreate(&b_); }
  ~Stopwatch() { cudaEventDestroy(a_); cudaEventDestroy(b_); }
  void start() { cudaEventRecord(a_); }
  float stop() {
    float ms = 0;
    cudaEventRecord(b_);
    cudaEventSynchronize(b_);
    cudaEventElapsedTime(&ms, a_, b_);
    return ms;
  }
 private:
  cudaEvent_t a_, b_;
};

template <typename T>
bool close(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); i++)
    if (std::fabs(a[i] - b[i]) > 1e-4 * (1 + std::fabs(b[i]))) return false;
  return true;
}

void line(const char* name, float ms, double flops, bool ok) {
  std::cout << std::left << std::setw(10) << name << std::fixed << std::setprecision(3) << ms << " ms  "
            << flops / ms * 1e-6 << " GFLOP/s  " << (ok ? "ok" : "MISMATCH") << "\n";
}

int main() {
  const int rows = 12000, COLS = 12;
  CsrMatrix<float> a = irregular<float>(rows, 31);
  const int nnz = (int)a.col.size(), width = a.longest();

  std::vector<int> ell_col((size_t)rows * width, -1);
  std::vector<float> ell_val((size_t)rows * width, 0.f);
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < a.ptr[r + 1] - a.ptr[r]; k++) {
      ell_col[(size_t)k * rows + r] = a.col[a.ptr[r] + k];
      ell_val[(size_t)k * rows + r] = a.val[a.ptr[r] + k];
    }
  std::vector<float> x((size_t)rows * COLS), y(rows), y_ref(rows, 0.f), ym((size_t)rows * COLS), ym_ref((size_t)rows * COLS, 0.f);
  for (size_t i = 0; i < x.size(); i++) x[i] = (float)((i * 37) % 101) / 101.f - 0.5f;
  for (int r = 0; r < rows; r++) {
    double dot = 0;
    for (int k = a.ptr[r]; k < a.ptr[r + 1]; k++) dot += (double)a.val[k] * x[a.col[k]];
    y_ref[r] = (float)dot;
    for (int j = 0; j < COLS; j++) {
      double s = 0;
      for (int k = a.ptr[r]; k < a.ptr[r + 1]; k++) s += (double)a.val[k] * x[(size_t)a.col[k] * COLS + j];
      ym_ref[(size_t)r * COLS + j] = (float)s;
    }
  }

  int *d_ptr, *d_col, *d_ecol;
  float *d_val, *d_eval, *d_x, *d_y;
  CUDA_CALL(cudaMalloc(&d_ptr, (rows + 1) * sizeof(int)));
  CUDA_CALL(cudaMalloc(&d_col, nnz * sizeof(int)));
  CUDA_CALL(cudaMalloc(&d_val, nnz * sizeof(float)));
  CUDA_CALL(cudaMalloc(&d_ecol, ell_col.size() * sizeof(int)));
  CUDA_CALL(cudaMalloc(&d_eval, ell_val.size() * sizeof(float)));
  CUDA_CALL(cudaMalloc(&d_x, x.size() * sizeof(float)));
  CUDA_CALL(cudaMalloc(&d_y, ym.size() * sizeof(float)));
  CUDA_CALL(cudaMemcpy(d_ptr, a.ptr.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_col, a.col.data(), nnz * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_val, a.val.data(), nnz * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_ecol, ell_col.data(), ell_col.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_eval, ell_val.data(), ell_val.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));

  Stopwatch watch;
  bool all = true, ok;
  const int block = 128, grid = (rows + block - 1) / block;

  std::cout << rows << " rows, " << nnz << " entries, longest row " << width << "\n";
  watch.start();
  spmv_csr_scalar<float><<<grid, block>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
  float ms = watch.stop();
  CUDA_CALL(cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost));
  all &= ok = close(y, y_ref);
  line("csr", ms, 2.0 * nnz, ok);

  CUDA_CALL(cudaMemset(d_y, 0, rows * sizeof(float)));
  watch.start();
  spmv_ell<float><<<grid, block>>>(rows, width, d_ecol, d_eval, d_x, d_y);
  ms = watch.stop();
  CUDA_CALL(cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost));
  all &= ok = close(y, y_ref);
  line("ell", ms, 2.0 * nnz, ok);

  dim3 threads(16, 16);  // four columns of threads are idle
  watch.start();
  spmm_csr<float, COLS><<<(rows + 15) / 16, threads>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
  ms = watch.stop();
  CUDA_CALL(cudaMemcpy(ym.data(), d_y, ym.size() * sizeof(float), cudaMemcpyDeviceToHost));
  all &= ok = close(ym, ym_ref);
  line("spmm", ms, 2.0 * nnz * COLS, ok);

  cudaFree(d_ptr); cudaFree(d_col); cudaFree(d_val); cudaFree(d_ecol); cudaFree(d_eval); cudaFree(d_x); cudaFree(d_y);
  return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
