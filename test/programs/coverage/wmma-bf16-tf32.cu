// SPDX-License-Identifier: Apache-2.0
// COVERS: wmma, wmma: bfloat16, wmma: tf32, bfloat16
// Tiles of bfloat16 (16x16x16) and of tf32 (16x16x8) with float sums, and double (8x8x4).
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void brain(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  for (int p = 0; p < k; p += 16) {
    wmma::load_matrix_sync(a, A + p, k);
    wmma::load_matrix_sync(b, B + p * 16, 16);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

__global__ void tensor(const float* A, const float* B, float* C, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
  wmma::fill_fragment(c, 1.0f);
  for (int p = 0; p < k; p += 8) {
    wmma::load_matrix_sync(a, A + p, k);
    wmma::load_matrix_sync(b, B + p * 16, 16);
    for (int i = 0; i < a.num_elements; ++i)
      a.x[i] = wmma::__float_to_tf32(a.x[i]);
    for (int i = 0; i < b.num_elements; ++i)
      b.x[i] = wmma::__float_to_tf32(b.x[i]);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

__global__ void doubles(const double* A, const double* B, double* C, int k) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c;
  wmma::fill_fragment(c, 1.0);
  for (int p = 0; p < k; p += 4) {
    wmma::load_matrix_sync(a, A + p, k);
    wmma::load_matrix_sync(b, B + p * 8, 8);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C, c, 8, wmma::mem_row_major);
}

static float av(int i) {
  return (float)(i % 11 - 5) / 4;
}
static float bv(int i) {
  return (float)(i % 7 - 3) / 2;
}

template <typename T, typename R>
int test(const char* name, void (*kernel)(const T*, const T*, R*, int), int n, int k) {
  T *a, *b;
  R* c;
  if (cudaMallocManaged(&a, n * k * sizeof(T)) || cudaMallocManaged(&b, n * k * sizeof(T)) ||
      cudaMallocManaged(&c, n * n * sizeof(R)))
    return 1;
  for (int i = 0; i < n * k; ++i) {
    a[i] = T(av(i));
    b[i] = T(bv(i));
  }
  kernel<<<1, 32>>>(a, b, c, k);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 1;
      for (int p = 0; p < k; ++p)
        sum += (double)av(i * k + p) * bv(p * n + j);
      if (c[i * n + j] != (R)sum && bad++ < 4)
        printf("%s (%d, %d): %g, expected %g\n", name, i, j, (double)c[i * n + j], sum);
    }
  cudaFree(a), cudaFree(b), cudaFree(c);
  return bad;
}

int main(int argc, char** argv) {
  int k = (argc > 1 ? atoi(argv[1]) : 64) / 16 * 16;
  int bad =
      test("bfloat16", brain, 16, k) + test("tf32", tensor, 16, k) + test("double", doubles, 8, k);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
