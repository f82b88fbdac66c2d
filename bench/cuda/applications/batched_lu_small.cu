// SPDX-License-Identifier: Apache-2.0
// LU without pivoting of many small matrices and a solve with each of them.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static const int N = 20; // order of the shared-memory variant
static const int NS = 6; // order of the thread-per-matrix variant

#define ERR(x)                                                                                     \
  if ((x) != cudaSuccess) {                                                                        \
    printf("FAIL cuda %d\n", __LINE__);                                                            \
    return 1;                                                                                      \
  }

__host__ __device__ inline float noise(uint32_t a) {
  a ^= a >> 16;
  a *= 0x7feb352du;
  a ^= a >> 15;
  a *= 0x846ca68bu;
  a ^= a >> 16;
  return (float)(a >> 8) * (1.0f / 16777216.0f) - 0.5f;
}

// Diagonally dominant matrices, each stored by rows.
__global__ void generate(float* a, float* b, int order, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int per = order * order;
  if (k < per * count) {
    int e = k % per;
    float v = noise(k + 77u);
    if (e / order == e % order)
      v += order;
    a[k] = v;
  }
  if (k < order * count)
    b[k] = noise(k + 990001u);
}

// One block of N x N threads factors one matrix in shared memory.
__global__ void lu_shared(float* a) {
  __shared__ float s[N][N];
  int r = threadIdx.y, c = threadIdx.x;
  float* m = a + (size_t)blockIdx.x * N * N;
  s[r][c] = m[r * N + c];
  __syncthreads();
  for (int k = 0; k < N - 1; k++) {
    if (c == k && r > k)
      s[r][k] /= s[k][k];
    __syncthreads();
    if (r > k && c > k)
      s[r][c] -= s[r][k] * s[k][c];
    __syncthreads();
  }
  m[r * N + c] = s[r][c];
}

// One thread per matrix, straight in global memory.
__global__ void lu_thread(float* a, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  float* m = a + (size_t)t * NS * NS;
  for (int k = 0; k < NS; k++)
    for (int i = k + 1; i < NS; i++) {
      float f = m[i * NS + k] / m[k * NS + k];
      m[i * NS + k] = f;
      for (int j = k + 1; j < NS; j++)
        m[i * NS + j] -= f * m[k * NS + j];
    }
}

template <int ORDER> __global__ void solve(const float* lu, float* b, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  const float* m = lu + (size_t)t * ORDER * ORDER;
  float x[ORDER];
  for (int i = 0; i < ORDER; i++) {
    float s = b[(size_t)t * ORDER + i];
    for (int j = 0; j < i; j++)
      s -= m[i * ORDER + j] * x[j];
    x[i] = s;
  }
  for (int i = ORDER - 1; i >= 0; i--) {
    float s = x[i];
    for (int j = i + 1; j < ORDER; j++)
      s -= m[i * ORDER + j] * x[j];
    x[i] = s / m[i * ORDER + i];
  }
  for (int i = 0; i < ORDER; i++)
    b[(size_t)t * ORDER + i] = x[i];
}

__global__ void logdet(const float* lu, float* out, int order, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  float s = 0;
  for (int i = 0; i < order; i++)
    s += logf(fabsf(lu[((size_t)t * order + i) * order + i]));
  out[t] = s;
}

// residual of the solution with the matrix generated again
static double residual(const std::vector<float>& x, int order, int count) {
  double worst = 0;
  for (int t = 0; t < count; t++)
    for (int i = 0; i < order; i++) {
      double s = -noise(t * order + i + 990001u);
      for (int j = 0; j < order; j++) {
        uint32_t k = (uint32_t)t * order * order + i * order + j;
        double v = noise(k + 77u);
        if (i == j)
          v += order;
        s += v * x[(size_t)t * order + j];
      }
      if (!(std::fabs(s) <= worst))
        worst = std::fabs(s);
    }
  return worst;
}

static int work(int order, int count, int repeat, double& worst, double& sum) {
  float *a, *b, *d;
  ERR(cudaMalloc(&a, sizeof(float) * order * order * count));
  ERR(cudaMalloc(&b, sizeof(float) * order * count));
  ERR(cudaMalloc(&d, sizeof(float) * count));
  int all = order * order * count;
  for (int r = 0; r < repeat; r++) {
    generate<<<(all + 255) / 256, 256>>>(a, b, order, count);
    if (order == N) {
      lu_shared<<<count, dim3(N, N)>>>(a);
      solve<N><<<(count + 63) / 64, 64>>>(a, b, count);
    } else {
      lu_thread<<<(count + 127) / 128, 128>>>(a, count);
      solve<NS><<<(count + 127) / 128, 128>>>(a, b, count);
    }
    logdet<<<(count + 127) / 128, 128>>>(a, d, order, count);
    ERR(cudaGetLastError());
  }
  std::vector<float> x((size_t)order * count), ld(count);
  ERR(cudaMemcpy(x.data(), b, x.size() * sizeof(float), cudaMemcpyDeviceToHost));
  ERR(cudaMemcpy(ld.data(), d, ld.size() * sizeof(float), cudaMemcpyDeviceToHost));
  worst = residual(x, order, count);
  sum = 0;
  for (float v : ld)
    sum += v;
  cudaFree(a);
  cudaFree(b);
  cudaFree(d);
  return 0;
}

int main(int argc, char** argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 300;
  double w1, w2, s1, s2;
  if (work(N, count, 3, w1, s1) || work(NS, count * 16, 3, w2, s2))
    return 1;
  printf("mean log determinants %.5f %.5f\n", s1 / count, s2 / (count * 16.0));
  // the dominant diagonal decides the determinant
  bool det = std::fabs(s1 / count - N * std::log((double)N)) < 0.5 &&
             std::fabs(s2 / (count * 16.0) - NS * std::log((double)NS)) < 0.5;
  if (!(w1 < 1e-4) || !(w2 < 1e-4) || !det) {
    printf("FAIL residuals %g %g\n", w1, w2);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
