// SPDX-License-Identifier: Apache-2.0
// Power iteration with deflation for the two dominant eigenvalues of a dense symmetric matrix.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define GPU(call)                                                                                  \
  do {                                                                                             \
    cudaError_t status = call;                                                                     \
    if (status != cudaSuccess) {                                                                   \
      printf("FAIL: %s in line %d\n", cudaGetErrorString(status), __LINE__);                       \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

// The matrix: two planted eigenpairs and small symmetric noise.
__host__ __device__ inline float plantedA(int i, int n) {
  return sinf(0.37f * i + 0.2f);
}
__host__ __device__ inline float plantedB(int i, int n) {
  return (i & 1) ? 1.0f : -1.0f;
}

__global__ void fillMatrix(float* A, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= n)
    return;
  unsigned lo = min(r, c), hi = max(r, c);
  unsigned s = lo * 73856093u ^ hi * 19349663u;
  s ^= s >> 13;
  s *= 0x5bd1e995u;
  s ^= s >> 15;
  float noise = ((s & 0xffff) / 65536.0f - 0.5f) * 0.05f;
  A[(size_t)r * n + c] =
      (16.0f * plantedA(r, n) * plantedA(c, n) + 5.0f * plantedB(r, n) * plantedB(c, n)) / n +
      noise / sqrtf((float)n);
}

// one thread per row, as one writes it the first time
__global__ void matvecRow(const float* A, const float* x, float* y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float s = 0;
    for (int c = 0; c < n; ++c)
      s += A[(size_t)r * n + c] * x[c];
    y[r] = s;
  }
}

// one warp per row, and the deflation of a known eigenpair
__global__ void matvecWarp(const float* A, const float* x, float* y, int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (r >= n)
    return;
  const float* row = A + (size_t)r * n;
  float s = 0;
  for (int c = lane; c < n; c += 32)
    s += row[c] * x[c];
  for (int d = 16; d; d >>= 1)
    s += __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0)
    y[r] = s;
}

// single block: out[0] = y.y, out[1] = y.x, out[2] = y.v
__global__ void products(const float* y, const float* x, const float* v, float* out, int n) {
  __shared__ float s[3][512];
  float a = 0, b = 0, c = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    a += y[i] * y[i];
    b += y[i] * x[i];
    c += y[i] * v[i];
  }
  s[0][threadIdx.x] = a;
  s[1][threadIdx.x] = b;
  s[2][threadIdx.x] = c;
  for (int h = blockDim.x / 2; h > 0; h /= 2) {
    __syncthreads();
    if (threadIdx.x < h)
      for (int k = 0; k < 3; ++k)
        s[k][threadIdx.x] += s[k][threadIdx.x + h];
  }
  __syncthreads();
  if (threadIdx.x < 3)
    out[threadIdx.x] = s[threadIdx.x][0];
}

// x = (y - dot * v), normalised with the norm that follows from the products
__global__ void rescale(const float* y, const float* v, const float* prod, float* x, float* lambda,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float norm = sqrtf(fmaxf(prod[0] - prod[2] * prod[2], 1e-30f));
  if (i < n)
    x[i] = (y[i] - prod[2] * v[i]) / norm;
  if (i == 0)
    *lambda = prod[1];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 384;
  const int kIter = 9;
  size_t nn = (size_t)n * n;
  float *A, *x, *y, *v, *prod, *lambda;
  GPU(cudaMalloc(&A, nn * sizeof(float)));
  GPU(cudaMalloc(&x, n * sizeof(float)));
  GPU(cudaMalloc(&y, n * sizeof(float)));
  GPU(cudaMalloc(&v, n * sizeof(float)));
  GPU(cudaMalloc(&prod, 3 * sizeof(float)));
  GPU(cudaMalloc(&lambda, 2 * sizeof(float)));
  fillMatrix<<<dim3((n + 255) / 256, n), 256>>>(A, n);
  std::vector<float> start(n);
  float norm = 0;
  for (int i = 0; i < n; ++i) {
    start[i] = 1.0f + (i % 7) * 0.3f - (i % 2) * 1.5f + plantedA(i, n);
    norm += start[i] * start[i];
  }
  for (auto& e : start)
    e /= std::sqrt(norm);

  float found[2];
  std::vector<float> vec[2];
  for (int pair = 0; pair < 2; ++pair) {
    GPU(cudaMemcpy(x, start.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    if (pair == 0)
      GPU(cudaMemset(v, 0, n * sizeof(float)));
    for (int it = 0; it < kIter; ++it) {
      if (pair == 0)
        matvecRow<<<(n + 63) / 64, 64>>>(A, x, y, n);
      else
        matvecWarp<<<(n + 7) / 8, 256>>>(A, x, y, n);
      products<<<1, 512>>>(y, x, v, prod, n);
      rescale<<<(n + 255) / 256, 256>>>(y, v, prod, x, lambda + pair, n);
    }
    GPU(cudaMemcpy(&found[pair], lambda + pair, sizeof(float), cudaMemcpyDeviceToHost));
    vec[pair].resize(n);
    GPU(cudaMemcpy(vec[pair].data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
    GPU(cudaMemcpy(v, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
  }
  std::vector<float> hA(nn);
  GPU(cudaMemcpy(hA.data(), A, nn * sizeof(float), cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int pair = 0; pair < 2; ++pair) {
    double r2 = 0, len = 0;
    for (int i = 0; i < n; ++i) {
      double s = -(double)found[pair] * vec[pair][i];
      for (int j = 0; j < n; ++j)
        s += (double)hA[(size_t)i * n + j] * vec[pair][j];
      r2 += s * s;
      len += (double)vec[pair][i] * vec[pair][i];
    }
    double rel = std::sqrt(r2) / found[pair];
    printf("eigenvalue %d: %.5f relative residual %.2e\n", pair, found[pair], rel);
    ok = ok && rel < 4e-2 && std::fabs(len - 1) < 1e-3;
  }
  ok = ok && found[0] > found[1] && found[1] > 3.0f;
  for (void* p : {(void*)A, (void*)x, (void*)y, (void*)v, (void*)prod, (void*)lambda})
    cudaFree(p);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
