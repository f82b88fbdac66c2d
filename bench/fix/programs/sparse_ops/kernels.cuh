// SPDX-License-Identifier: Apache-2.0
#ifndef SPARSE_KERNELS_CUH
#define SPARSE_KERNELS_CUH

// y = A x, one thread a row
template <typename T>
__global__ void spmv_csr_scalar(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                                const T* __restrict__ val, const T* __restrict__ x, T* __restrict__ y) {
  const int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    T dot = 0;
    const int row_start = ptr[row];
    const int row_end = ptr[row + 1];
    for (int jj = row_start; jj < row_end; jj++) dot += val[jj] * x[col[jj]];
    y[row] = dot;
  }
}

// The same with column-major padding; a column of -1 ends a row.
template <typename T>
__global__ void spmv_ell(int rows, int width, const int* __restrict__ col, const T* __restrict__ val,
                         const T* __restrict__ x, T* __restrict__ y) {
  const int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row >= rows) return;
  T dot = 0;
  for (int k = 0; k < width; k++) {
    const int c = col[k * rows + row];
    if (c < 0) break;
    dot += val[k * rows + row] * x[c];
  }
  y[row] = dot;
}

// Y = A X for a tall, narrow X (row-major). threadIdx.x runs along the columns of X.
template <typename T, int COLS>
__global__ void spmm_csr(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                         const T* __restrict__ val, const T* __restrict__ X, T* __restrict__ Y) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int j = threadIdx.x;
  if (row >= rows || j >= COLS) return;
  T sum = 0;
  for (int jj = ptr[row]; jj < ptr[row + 1]; jj++) sum += val[jj] * X[col[jj] * COLS + j];
  Y[row * COLS + j] = sum;
}

#endif
