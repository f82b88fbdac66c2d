// SPDX-License-Identifier: Apache-2.0
// Sparse matrix-vector products in CSR, ELL and COO form, chained into a power iteration.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t e_ = (call);                                                                       \
    if (e_ != cudaSuccess) {                                                                       \
      printf("FAIL %s line %d\n", cudaGetErrorString(e_), __LINE__);                               \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static unsigned long long seed = 88172645463325252ULL;
static unsigned nextRandom() {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(seed >> 33);
}

__global__ void csrScalar(int rows, const int* rowPtr, const int* col, const float* val,
                          const float* x, float* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0.0f;
    for (int k = rowPtr[r]; k < rowPtr[r + 1]; k++)
      sum += val[k] * x[col[k]];
    y[r] = sum;
  }
}

// one group of LANES threads for each row
template <int LANES>
__global__ void csrVector(int rows, const int* __restrict__ rowPtr, const int* __restrict__ col,
                          const float* __restrict__ val, const float* __restrict__ x,
                          float* __restrict__ y) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int r = t / LANES;
  int lane = t % LANES;
  float sum = 0.0f;
  if (r < rows) {
    int end = rowPtr[r + 1];
    for (int k = rowPtr[r] + lane; k < end; k += LANES)
      sum += val[k] * x[col[k]];
  }
  for (int d = LANES / 2; d > 0; d >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, d, LANES);
  if (r < rows && lane == 0)
    y[r] = sum;
}

__global__ void ellKernel(int rows, int width, const int* __restrict__ ecol,
                          const float* __restrict__ eval, const float* __restrict__ x, float* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0.0f;
  for (int k = 0; k < width; k++) {
    int c = ecol[k * rows + r];
    if (c >= 0)
      sum += eval[k * rows + r] * x[c];
  }
  y[r] = sum;
}

__global__ void cooKernel(int nnz, const int* row, const int* col, const float* val, const float* x,
                          float* y) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < nnz)
    atomicAdd(&y[row[k]], val[k] * x[col[k]]);
}

__global__ void maxNorm(int n, const float* y, unsigned* result) {
  __shared__ float part[256];
  float m = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    m = fmaxf(m, fabsf(y[i]));
  part[threadIdx.x] = m;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicMax(result, __float_as_uint(part[0])); // values are never negative
}

__global__ void scale(int n, const unsigned* norm, const float* y, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[i] / __uint_as_float(*norm);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 6000;
  const int width = 20; // the longest row
  std::vector<int> rowPtr(rows + 1), col, rowIndex;
  std::vector<float> val;
  for (int r = 0; r < rows; r++) {
    rowPtr[r] = (int)col.size();
    int len = 4 + nextRandom() % (width - 4 + 1);
    for (int k = 0; k < len; k++) {
      int c = (k % 2) ? (int)(nextRandom() % rows) : (r + k * 3) % rows;
      col.push_back(c);
      rowIndex.push_back(r);
      val.push_back(0.1f + (nextRandom() % 1000) * 0.001f);
    }
  }
  rowPtr[rows] = (int)col.size();
  int nnz = (int)col.size();
  std::vector<int> ecol((size_t)rows * width, -1);
  std::vector<float> eval((size_t)rows * width, 0.0f);
  for (int r = 0; r < rows; r++)
    for (int k = rowPtr[r]; k < rowPtr[r + 1]; k++) {
      ecol[(size_t)(k - rowPtr[r]) * rows + r] = col[k];
      eval[(size_t)(k - rowPtr[r]) * rows + r] = val[k];
    }
  std::vector<float> x(rows);
  for (int i = 0; i < rows; i++)
    x[i] = 0.5f + (i % 17) / 34.0f;

  int *dRowPtr, *dCol, *dRow, *dEcol;
  float *dVal, *dEval, *dX, *dY;
  unsigned* dNorm;
  CHECK(cudaMalloc(&dRowPtr, (rows + 1) * sizeof(int)));
  CHECK(cudaMalloc(&dCol, nnz * sizeof(int)));
  CHECK(cudaMalloc(&dRow, nnz * sizeof(int)));
  CHECK(cudaMalloc(&dVal, nnz * sizeof(float)));
  CHECK(cudaMalloc(&dEcol, ecol.size() * sizeof(int)));
  CHECK(cudaMalloc(&dEval, eval.size() * sizeof(float)));
  CHECK(cudaMalloc(&dX, rows * sizeof(float)));
  CHECK(cudaMalloc(&dY, rows * sizeof(float)));
  CHECK(cudaMalloc(&dNorm, sizeof(unsigned)));
  CHECK(cudaMemcpy(dRowPtr, rowPtr.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dCol, col.data(), nnz * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dRow, rowIndex.data(), nnz * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dVal, val.data(), nnz * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dEcol, ecol.data(), ecol.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dEval, eval.data(), eval.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dX, x.data(), rows * sizeof(float), cudaMemcpyHostToDevice));

  const int rounds = 8, block = 256;
  int rowBlocks = (rows + block - 1) / block;
  for (int it = 0; it < rounds; it++) {
    switch (it % 4) {
    case 0:
      csrScalar<<<rowBlocks, block>>>(rows, dRowPtr, dCol, dVal, dX, dY);
      break;
    case 1:
      csrVector<8><<<(rows * 8 + block - 1) / block, block>>>(rows, dRowPtr, dCol, dVal, dX, dY);
      break;
    case 2:
      ellKernel<<<rowBlocks, block>>>(rows, width, dEcol, dEval, dX, dY);
      break;
    default:
      CHECK(cudaMemset(dY, 0, rows * sizeof(float)));
      cooKernel<<<(nnz + block - 1) / block, block>>>(nnz, dRow, dCol, dVal, dX, dY);
    }
    CHECK(cudaMemset(dNorm, 0, sizeof(unsigned)));
    maxNorm<<<64, 256>>>(rows, dY, dNorm);
    scale<<<rowBlocks, block>>>(rows, dNorm, dY, dX);
    CHECK(cudaGetLastError());
  }
  std::vector<float> got(rows);
  CHECK(cudaMemcpy(got.data(), dX, rows * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<double> hx(x.begin(), x.end()), hy(rows);
  for (int it = 0; it < rounds; it++) {
    double m = 0;
    for (int r = 0; r < rows; r++) {
      double s = 0;
      for (int k = rowPtr[r]; k < rowPtr[r + 1]; k++)
        s += (double)val[k] * hx[col[k]];
      hy[r] = s;
      m = fmax(m, fabs(s));
    }
    for (int r = 0; r < rows; r++)
      hx[r] = hy[r] / m;
  }
  double worst = 0;
  for (int r = 0; r < rows; r++)
    worst = fmax(worst, fabs(hx[r] - got[r]));
  printf("rows %d nonzeros %d worst difference %g\n", rows, nnz, worst);
  if (!(worst < 1e-4)) {
    printf("FAIL difference %g\n", worst);
    return 1;
  }
  printf("PASS\n");
  cudaFree(dRowPtr), cudaFree(dCol), cudaFree(dRow), cudaFree(dVal), cudaFree(dEcol);
  cudaFree(dEval), cudaFree(dX), cudaFree(dY), cudaFree(dNorm);
  return 0;
}
