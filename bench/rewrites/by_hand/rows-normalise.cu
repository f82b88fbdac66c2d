// SPDX-License-Identifier: Apache-2.0
// Divides the entries of each sparse row by the degrees of its row and of the entry's column.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

const int LANES = 16;

__global__ void normalise(const size_t* rowPtr, const int* col, const float* in,
                          const float* invRoot, float* out, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  if (r >= rows) return;
  float mine = invRoot[r];
  size_t end = rowPtr[r + 1];
  for (size_t k = rowPtr[r] + lane; k < end; k += LANES) {
    out[k] = in[k] * mine * invRoot[col[k]];
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 250000;
  std::mt19937 gen(2);
  std::geometric_distribution<int> degree(1.0 / 30.0);
  std::vector<size_t> rowPtr(rows + 1, 0);
  std::vector<float> invRoot(rows);
  for (int r = 0; r < rows; ++r) {
    int d = 1 + degree(gen);
    rowPtr[r + 1] = rowPtr[r] + d;
    invRoot[r] = 1.0f / std::sqrt(static_cast<float>(d));
  }
  size_t nnz = rowPtr[rows];
  std::vector<int> col(nnz);
  std::vector<float> val(nnz);
  for (size_t k = 0; k < nnz; ++k) {
    col[k] = gen() % rows;
    val[k] = 1.0f + (gen() % 8);
  }
  size_t* dPtr;
  int* dCol;
  float *dIn, *dInv, *dOut;
  cudaMalloc(&dPtr, rowPtr.size() * sizeof(size_t));
  cudaMalloc(&dCol, nnz * sizeof(int));
  cudaMalloc(&dIn, nnz * sizeof(float));
  cudaMalloc(&dInv, rows * sizeof(float));
  cudaMalloc(&dOut, nnz * sizeof(float));
  cudaMemcpy(dPtr, rowPtr.data(), rowPtr.size() * sizeof(size_t), cudaMemcpyHostToDevice);
  cudaMemcpy(dCol, col.data(), nnz * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dIn, val.data(), nnz * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dInv, invRoot.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
  normalise<<<(rows * LANES + 255) / 256, 256>>>(dPtr, dCol, dIn, dInv, dOut, rows);
  cudaMemcpy(val.data(), dOut, nnz * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : val) sum += v;
  std::printf("entries %zu sum %.8e\n", nnz, sum);
  cudaFree(dPtr);
  cudaFree(dCol);
  cudaFree(dIn);
  cudaFree(dInv);
  cudaFree(dOut);
  return 0;
}
