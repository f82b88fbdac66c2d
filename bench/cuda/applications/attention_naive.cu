// SPDX-License-Identifier: Apache-2.0
// Multi-head self-attention, one kernel for each step: projections, scores, softmax, weighted
// values, output projection.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define cudaCheck(err)                                                                             \
  {                                                                                                \
    cudaError_t e__ = (err);                                                                       \
    if (e__ != cudaSuccess) {                                                                      \
      printf("FAIL [CUDA] line %d: %s\n", __LINE__, cudaGetErrorString(e__));                      \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  }

constexpr int D_MODEL = 128;
constexpr int HEADS = 4;
constexpr int D_HEAD = D_MODEL / HEADS;

// y[M][N] = x[M][K] * w[N][K]^T + b, 16x16 tiles
__global__ void linear_tiled(float* y, const float* x, const float* w, const float* b, int M, int N,
                             int K) {
  __shared__ float xs[16][16], ws[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    xs[threadIdx.y][threadIdx.x] = row < M ? x[row * K + k0 + threadIdx.x] : 0.0f;
    ws[threadIdx.y][threadIdx.x] = w[(blockIdx.x * 16 + threadIdx.y) * K + k0 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++)
      acc += xs[threadIdx.y][k] * ws[threadIdx.x][k];
    __syncthreads();
  }
  if (row < M)
    y[row * N + col] = acc + b[col];
}

// one thread for each (head, query, key)
__global__ void query_key(float* scores, const float* qkv, int T) {
  int key = blockIdx.x * blockDim.x + threadIdx.x;
  int query = blockIdx.y, head = blockIdx.z;
  if (key >= T)
    return;
  float s = -INFINITY;
  if (key <= query) { // causal
    const float* q = qkv + query * 3 * D_MODEL + head * D_HEAD;
    const float* k = qkv + key * 3 * D_MODEL + D_MODEL + head * D_HEAD;
    s = 0.0f;
    for (int i = 0; i < D_HEAD; i++)
      s += q[i] * k[i];
    s /= sqrtf((float)D_HEAD);
  }
  scores[(head * T + query) * T + key] = s;
}

// one thread for each (head, query); the row is walked three times
__global__ void softmax_rows(float* scores, int T) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= HEADS * T)
    return;
  float* row = scores + (size_t)idx * T;
  int own = idx % T + 1;
  float maxval = -10000.0f;
  for (int i = 0; i < own; i++)
    if (row[i] > maxval)
      maxval = row[i];
  float sum = 0.0f;
  for (int i = 0; i < own; i++) {
    row[i] = expf(row[i] - maxval);
    sum += row[i];
  }
  for (int i = 0; i < own; i++)
    row[i] /= sum;
  for (int i = own; i < T; i++)
    row[i] = 0.0f;
}

// a block of D_HEAD x 4 threads makes four outputs of a head
__global__ void weighted_values(float* out, const float* att, const float* qkv, int T) {
  int d = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y;
  if (query >= T)
    return;
  const float* a = att + (size_t)(head * T + query) * T;
  float acc = 0.0f;
  for (int t = 0; t <= query; t++)
    acc += a[t] * qkv[t * 3 * D_MODEL + 2 * D_MODEL + head * D_HEAD + d];
  out[query * D_MODEL + head * D_HEAD + d] = acc;
}

__global__ void add_residual(float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0.5f * x[i] + y[i];
}

static float frand(unsigned long long& s) {
  s ^= s >> 12;
  s ^= s << 25;
  s ^= s >> 27;
  return (float)((s * 0x2545F4914F6CDD1Dull) >> 40) / 16777216.0f * 2.0f - 1.0f;
}

static void host_layer(std::vector<float>& x, const std::vector<float>& wq,
                       const std::vector<float>& bq, const std::vector<float>& wo,
                       const std::vector<float>& bo, int T) {
  std::vector<float> qkv(T * 3 * D_MODEL), att(T * D_MODEL, 0.0f), p(T);
  for (int t = 0; t < T; t++)
    for (int o = 0; o < 3 * D_MODEL; o++) {
      float s = 0;
      for (int i = 0; i < D_MODEL; i++)
        s += x[t * D_MODEL + i] * wq[o * D_MODEL + i];
      qkv[t * 3 * D_MODEL + o] = s + bq[o];
    }
  for (int h = 0; h < HEADS; h++)
    for (int t = 0; t < T; t++) {
      float m = -1e30f, sum = 0;
      for (int u = 0; u <= t; u++) {
        float s = 0;
        for (int i = 0; i < D_HEAD; i++)
          s += qkv[t * 3 * D_MODEL + h * D_HEAD + i] *
               qkv[u * 3 * D_MODEL + D_MODEL + h * D_HEAD + i];
        p[u] = s / sqrtf((float)D_HEAD);
        m = fmaxf(m, p[u]);
      }
      for (int u = 0; u <= t; u++)
        sum += p[u] = expf(p[u] - m);
      for (int u = 0; u <= t; u++)
        for (int i = 0; i < D_HEAD; i++)
          att[t * D_MODEL + h * D_HEAD + i] +=
              p[u] / sum * qkv[u * 3 * D_MODEL + 2 * D_MODEL + h * D_HEAD + i];
    }
  for (int t = 0; t < T; t++)
    for (int o = 0; o < D_MODEL; o++) {
      float s = 0;
      for (int i = 0; i < D_MODEL; i++)
        s += att[t * D_MODEL + i] * wo[o * D_MODEL + i];
      x[t * D_MODEL + o] = 0.5f * x[t * D_MODEL + o] + s + bo[o];
    }
}

int main(int argc, char** argv) {
  int T = argc > 1 ? atoi(argv[1]) : 64;
  if (T < 1)
    T = 1;
  const int layers = 2;
  unsigned long long seed = 88172645463325252ull;
  std::vector<float> x(T * D_MODEL), wq(3 * D_MODEL * D_MODEL), bq(3 * D_MODEL);
  std::vector<float> wo(D_MODEL * D_MODEL), bo(D_MODEL);
  for (auto& v : x)
    v = frand(seed);
  for (auto& v : wq)
    v = 0.2f * frand(seed);
  for (auto& v : bq)
    v = 0.1f * frand(seed);
  for (auto& v : wo)
    v = 0.1f * frand(seed);
  for (auto& v : bo)
    v = 0.1f * frand(seed);

  float *d_x, *d_qkv, *d_wq, *d_bq, *d_wo, *d_bo, *d_scores, *d_att, *d_proj;
  cudaCheck(cudaMalloc(&d_x, x.size() * 4));
  cudaCheck(cudaMalloc(&d_qkv, 3 * x.size() * 4));
  cudaCheck(cudaMalloc(&d_att, x.size() * 4));
  cudaCheck(cudaMalloc(&d_proj, x.size() * 4));
  cudaCheck(cudaMalloc(&d_scores, (size_t)HEADS * T * T * 4));
  cudaCheck(cudaMalloc(&d_wq, wq.size() * 4));
  cudaCheck(cudaMalloc(&d_bq, bq.size() * 4));
  cudaCheck(cudaMalloc(&d_wo, wo.size() * 4));
  cudaCheck(cudaMalloc(&d_bo, bo.size() * 4));
  cudaCheck(cudaMemcpy(d_x, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_wq, wq.data(), wq.size() * 4, cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_bq, bq.data(), bq.size() * 4, cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_wo, wo.data(), wo.size() * 4, cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_bo, bo.data(), bo.size() * 4, cudaMemcpyHostToDevice));

  dim3 tile(16, 16);
  for (int l = 0; l < layers; l++) {
    linear_tiled<<<dim3(3 * D_MODEL / 16, (T + 15) / 16), tile>>>(d_qkv, d_x, d_wq, d_bq, T,
                                                                  3 * D_MODEL, D_MODEL);
    query_key<<<dim3((T + 63) / 64, T, HEADS), 64>>>(d_scores, d_qkv, T);
    softmax_rows<<<(HEADS * T + 63) / 64, 64>>>(d_scores, T);
    weighted_values<<<dim3((T + 3) / 4, HEADS), dim3(D_HEAD, 4)>>>(d_att, d_scores, d_qkv, T);
    linear_tiled<<<dim3(D_MODEL / 16, (T + 15) / 16), tile>>>(d_proj, d_att, d_wo, d_bo, T, D_MODEL,
                                                              D_MODEL);
    add_residual<<<(T * D_MODEL + 255) / 256, 256>>>(d_x, d_proj, T * D_MODEL);
    cudaCheck(cudaGetLastError());
  }
  std::vector<float> got(x.size());
  cudaCheck(cudaMemcpy(got.data(), d_x, got.size() * 4, cudaMemcpyDeviceToHost));
  for (int l = 0; l < layers; l++)
    host_layer(x, wq, bq, wo, bo, T);
  double worst = 0, sum = 0;
  for (size_t i = 0; i < x.size(); i++) {
    double d = fabs(x[i] - got[i]);
    worst = d > worst || d != d ? d : worst;
    sum += got[i];
  }
  printf("sum %.5f, worst %.3g\n", sum, worst);
  if (!(worst < 1e-3)) {
    printf("FAIL outputs differ\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
