// SPDX-License-Identifier: Apache-2.0
// COVERS: wmma, wmma: half, half
// A matrix product on tensor cores: half fragments, float and half accumulators. Arguments: m n k.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define CHECK(x)                                                                                   \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s failed\nFAIL\n", #x);                                                               \
    exit(1);                                                                                       \
  }

// One warp for each tile of 16 by 16; A in rows, B in columns.
template <typename Acc>
__global__ void gemm(const half* A, const half* B, const Acc* C, Acc* D, int m, int n, int k) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int row = warp / (n / 16) * 16, col = warp % (n / 16) * 16;
  if (row >= m)
    return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Acc> acc, c;
  wmma::fill_fragment(acc, (Acc)0.0f);
  for (int p = 0; p < k; p += 16) {
    wmma::load_matrix_sync(a, A + row * k + p, k);
    wmma::load_matrix_sync(b, B + col * k + p, k);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::load_matrix_sync(c, C + row * n + col, n, wmma::mem_row_major);
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = (Acc)(2.0f * (float)acc.x[i] - (float)c.x[i]);
  wmma::store_matrix_sync(D + row * n + col, c, n, wmma::mem_row_major);
}

template <typename Acc> int run(int m, int n, int k) {
  std::vector<half> A(m * k), B(n * k);
  std::vector<Acc> C(m * n), D(m * n);
  for (int i = 0; i < m * k; ++i)
    A[i] = __float2half((float)(i % 7 - 3));
  for (int i = 0; i < n * k; ++i)
    B[i] = __float2half((float)(i % 5 - 2));
  for (int i = 0; i < m * n; ++i)
    C[i] = (Acc)(float)(i % 9);
  half *a, *b;
  Acc *c, *d;
  CHECK(cudaMalloc(&a, A.size() * sizeof(half)));
  CHECK(cudaMalloc(&b, B.size() * sizeof(half)));
  CHECK(cudaMalloc(&c, C.size() * sizeof(Acc)));
  CHECK(cudaMalloc(&d, C.size() * sizeof(Acc)));
  CHECK(cudaMemcpy(a, A.data(), A.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, B.data(), B.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(c, C.data(), C.size() * sizeof(Acc), cudaMemcpyHostToDevice));
  int warps = m / 16 * (n / 16);
  gemm<Acc><<<(warps + 3) / 4, 128>>>(a, b, c, d, m, n, k);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(D.data(), d, D.size() * sizeof(Acc), cudaMemcpyDeviceToHost));
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
  int bad = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p)
        sum += (float)((i * k + p) % 7 - 3) * (float)((j * k + p) % 5 - 2);
      float want = 2 * sum - (float)((i * n + j) % 9);
      if ((float)D[i * n + j] != want && bad++ < 5)
        printf("(%d, %d): %g, expected %g\n", i, j, (float)D[i * n + j], want);
    }
  return bad;
}

int main(int argc, char** argv) {
  int m = (argc > 1 ? atoi(argv[1]) : 48) / 16 * 16, n = (argc > 2 ? atoi(argv[2]) : 32) / 16 * 16,
      k = (argc > 3 ? atoi(argv[3]) : 64) / 16 * 16;
  int bad = run<float>(m, n, k) + run<half>(m, n, k);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
