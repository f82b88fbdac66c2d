// SPDX-License-Identifier: Apache-2.0
// COVERS: wmma, wmma: int8
// Products of signed and unsigned bytes with sums of int, in the shapes 16x16x16, 32x8x16 and
// 8x32x16.
#include <cstdio>
#include <cstdlib>

#include <mma.h>

using namespace nvcuda;

template <typename T, int M, int N>
__global__ void multiply(const T* A, const T* B, int* C, int k) {
  wmma::fragment<wmma::matrix_a, M, N, 16, T, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, M, N, 16, T, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, M, N, 16, int> c;
  wmma::fill_fragment(c, 0);
  for (int p = 0; p < k; p += 16) {
    wmma::load_matrix_sync(a, A + p, k);
    wmma::load_matrix_sync(b, B + p, k);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, N, wmma::mem_row_major);
}

template <typename T, int M, int N> int test(int k) {
  T *a, *b;
  int* c;
  if (cudaMallocManaged(&a, M * k) || cudaMallocManaged(&b, N * k) ||
      cudaMallocManaged(&c, M * N * sizeof(int)))
    return 1;
  for (int i = 0; i < M * k; ++i)
    a[i] = (T)(i * 37 + 11);
  for (int i = 0; i < N * k; ++i)
    b[i] = (T)(i * 53 - 7);
  multiply<T, M, N><<<1, 32>>>(a, b, c, k);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = 0;
      for (int p = 0; p < k; ++p)
        sum += (int)a[i * k + p] * (int)b[j * k + p];
      bad += c[i * N + j] != sum;
    }
  printf("%dx%d %s: %d wrong\n", M, N, (T)-1 < 0 ? "signed" : "unsigned", bad);
  cudaFree(a), cudaFree(b), cudaFree(c);
  return bad;
}

int main(int argc, char** argv) {
  int k = (argc > 1 ? atoi(argv[1]) : 64) / 16 * 16;
  int bad = test<signed char, 16, 16>(k) + test<unsigned char, 16, 16>(k) +
            test<signed char, 32, 8>(k) + test<unsigned char, 8, 32>(k);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
