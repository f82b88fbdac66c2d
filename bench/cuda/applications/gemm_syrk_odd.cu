// SPDX-License-Identifier: Apache-2.0
// Matrix products of odd sizes: tiled GEMM, A^T B, a symmetric rank-k update and a triangle mirror.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define gpuErrchk(ans)                                                                             \
  {                                                                                                \
    cudaError_t c_ = (ans);                                                                        \
    if (c_ != cudaSuccess) {                                                                       \
      printf("FAIL %s line %d\n", cudaGetErrorString(c_), __LINE__);                               \
      return 1;                                                                                    \
    }                                                                                              \
  }

// C (m x n) = alpha A (m x k) B (k x n) + beta C
template <int T>
__global__ void gemm_tiled(int m, int n, int k, float alpha, const float* A, const float* B,
                           float beta, float* C) {
  __shared__ float sa[T][T];
  __shared__ float sb[T][T];
  int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * T + threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;
    sa[threadIdx.y][threadIdx.x] = row < m && ka < k ? A[row * k + ka] : 0.f;
    sb[threadIdx.y][threadIdx.x] = col < n && kb < k ? B[kb * n + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int e = 0; e < T; ++e)
      acc += sa[threadIdx.y][e] * sb[e][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * n + col] = alpha * acc + beta * C[row * n + col];
}

// C (m x n) = A^T B with A (k x m): four rows of C per thread, no shared memory
__global__ void gemm_tn(int m, int n, int k, const float* __restrict__ A,
                        const float* __restrict__ B, float* __restrict__ C) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  if (col >= n || row >= m)
    return;
  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  int rows = min(4, m - row);
  if (rows == 4) {
    for (int p = 0; p < k; ++p) {
      float b = B[p * n + col];
      acc[0] += A[p * m + row] * b;
      acc[1] += A[p * m + row + 1] * b;
      acc[2] += A[p * m + row + 2] * b;
      acc[3] += A[p * m + row + 3] * b;
    }
  } else {
    for (int r = 0; r < rows; ++r)
      for (int p = 0; p < k; ++p)
        acc[r] += A[p * m + row + r] * B[p * n + col];
  }
  for (int r = 0; r < rows; ++r)
    C[(row + r) * n + col] = acc[r];
}

// lower triangle of S (m x m) = A A^T, A (m x k); threads above the diagonal leave
__global__ void syrk_naive(int m, int k, const float* A, float* S) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j > i)
    return;
  float s = 0.f;
  for (int p = 0; p < k; ++p)
    s += A[i * k + p] * A[j * k + p];
  S[i * m + j] = s;
}

__global__ void mirror(int m, float* S) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < i)
    S[j * m + i] = S[i * m + j];
}

int main(int argc, char** argv) {
  int base = argc > 1 ? atoi(argv[1]) : 100;
  int m = base + 1, n = base + 13, k = base - base / 3 - 1;
  std::vector<float> a(m * k), b(k * n), c(m * n, 1.f), d(n * n), s(m * m);
  unsigned seed = 2463534242u;
  auto next = [&seed]() {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (seed & 0xffff) / 65536.f - 0.5f;
  };
  for (float& v : a)
    v = next();
  for (float& v : b)
    v = next();
  float *A, *B, *C, *D, *S;
  gpuErrchk(cudaMalloc(&A, a.size() * 4));
  gpuErrchk(cudaMalloc(&B, b.size() * 4));
  gpuErrchk(cudaMalloc(&C, c.size() * 4));
  gpuErrchk(cudaMalloc(&D, d.size() * 4));
  gpuErrchk(cudaMalloc(&S, s.size() * 4));
  gpuErrchk(cudaMemcpy(A, a.data(), a.size() * 4, cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(B, b.data(), b.size() * 4, cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(C, c.data(), c.size() * 4, cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemset(S, 0, s.size() * 4));

  gemm_tiled<16><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, 2.f, A, B, 0.5f, C);
  gemm_tiled<32><<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(m, n, k, -1.f, A, B, 1.f, C);
  // D = B^T B, n x n
  gemm_tn<<<dim3((n + 31) / 32, (n + 15) / 16), dim3(32, 4)>>>(n, n, k, B, B, D);
  for (int r = 0; r < 2; ++r) {
    syrk_naive<<<dim3((m + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, k, A, S);
    mirror<<<dim3((m + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, S);
  }
  gpuErrchk(cudaDeviceSynchronize());
  gpuErrchk(cudaMemcpy(c.data(), C, c.size() * 4, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMemcpy(d.data(), D, d.size() * 4, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMemcpy(s.data(), S, s.size() * 4, cudaMemcpyDeviceToHost));

  double worst = 0;
  auto note = [&worst](double e) {
    e = std::fabs(e);
    if (!(e <= worst))
      worst = e;
  };
  // a sample of the entries; the last row and column always
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; j += (i % 11 == 10 || i == m - 1) ? 1 : 19) {
      double r = 0;
      for (int p = 0; p < k; ++p)
        r += (double)a[i * k + p] * b[p * n + j];
      note(c[i * n + j] - (r + 0.5));
    }
  for (int i = 0; i < n; i += 3)
    for (int j = i % 17; j < n; j += 17) {
      double r = 0;
      for (int p = 0; p < k; ++p)
        r += (double)b[p * n + i] * b[p * n + j];
      note(d[i * n + j] - r);
    }
  for (int i = 0; i < m; i++)
    for (int j = i % 13; j < m; j += 13) {
      double r = 0;
      for (int p = 0; p < k; ++p)
        r += (double)a[i * k + p] * a[j * k + p];
      note(s[i * m + j] - r);
    }
  printf("m=%d n=%d k=%d deviation %g\n", m, n, k, worst);
  if (!(worst < 2e-3)) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
