// SPDX-License-Identifier: Apache-2.0
// Historical-simulation value at risk: scenario losses of a delta-gamma portfolio, a bitonic sort
// and tail statistics.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr int kFactors = 24;
constexpr int kPositions = 96;
constexpr int kChunk = 1024;

void ok(cudaError_t e) {
  if (e == cudaSuccess)
    return;
  std::printf("FAIL %s\n", cudaGetErrorString(e));
  std::exit(1);
}

struct Position {
  int factor;
  float delta;
  float gamma;
  float notional;
};

__host__ __device__ float shock(unsigned scenario, unsigned factor) {
  // sum of uniforms with a fat tail now and then
  unsigned h = scenario * 2654435761u ^ (factor * 40503u + 977u);
  float s = 0;
  for (int k = 0; k < 4; ++k) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    s += (h >> 8) * (1.0f / 16777216.0f) - 0.5f;
  }
  return (h & 127u) == 5u ? 0.06f * s : 0.015f * s;
}

__global__ void makeShocks(float* shocks, int scenarios) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  int f = blockIdx.y;
  if (s < scenarios)
    shocks[s * kFactors + f] = shock(s, f); // scenario major, as the risk feed delivers it
}

__global__ void revalue(const float* shocks, const Position* positions, float* loss, int* id,
                        int scenarios) {
  __shared__ Position book[kPositions];
  for (int p = threadIdx.x; p < kPositions; p += blockDim.x)
    book[p] = positions[p];
  __syncthreads();
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= scenarios)
    return;
  float pnl = 0;
  for (int p = 0; p < kPositions; ++p) {
    float x = shocks[s * kFactors + book[p].factor];
    pnl += book[p].notional * (book[p].delta * x + 0.5f * book[p].gamma * x * x);
  }
  loss[s] = -pnl;
  id[s] = s;
}

__device__ inline bool before(float a, int ia, float b, int ib) {
  return a > b || (a == b && ia < ib); // largest loss first
}

__global__ void sortChunks(float* key, int* val) {
  __shared__ float k[kChunk];
  __shared__ int v[kChunk];
  int base = blockIdx.x * kChunk;
  for (int i = threadIdx.x; i < kChunk; i += blockDim.x) {
    k[i] = key[base + i];
    v[i] = val[base + i];
  }
  for (int size = 2; size <= kChunk; size <<= 1)
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      int t = threadIdx.x;
      int i = 2 * t - (t & (stride - 1)), j = i + stride;
      bool up = ((base + i) & size) == 0;
      if (before(k[j], v[j], k[i], v[i]) == up) {
        float a = k[i];
        k[i] = k[j];
        k[j] = a;
        int b = v[i];
        v[i] = v[j];
        v[j] = b;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < kChunk; i += blockDim.x) {
    key[base + i] = k[i];
    val[base + i] = v[i];
  }
}

__global__ void mergeGlobal(float* key, int* val, int size, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * t - (t & (stride - 1)), j = i + stride;
  bool up = (i & size) == 0;
  float a = key[i], b = key[j];
  int va = val[i], vb = val[j];
  if (before(b, vb, a, va) == up) {
    key[i] = b;
    key[j] = a;
    val[i] = vb;
    val[j] = va;
  }
}

__global__ void mergeShared(float* key, int* val, int size) {
  __shared__ float k[kChunk];
  __shared__ int v[kChunk];
  int base = blockIdx.x * kChunk;
  for (int i = threadIdx.x; i < kChunk; i += blockDim.x) {
    k[i] = key[base + i];
    v[i] = val[base + i];
  }
  for (int stride = kChunk / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    int t = threadIdx.x;
    int i = 2 * t - (t & (stride - 1)), j = i + stride;
    bool up = ((base + i) & size) == 0;
    if (before(k[j], v[j], k[i], v[i]) == up) {
      float a = k[i];
      k[i] = k[j];
      k[j] = a;
      int b = v[i];
      v[i] = v[j];
      v[j] = b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kChunk; i += blockDim.x) {
    key[base + i] = k[i];
    val[base + i] = v[i];
  }
}

// mean loss of each position over the tail scenarios: one block per position
__global__ void tailContribution(const float* shocks, const Position* positions, const int* order,
                                 int tail, float* contribution) {
  __shared__ float part[128];
  Position p = positions[blockIdx.x];
  float s = 0;
  for (int i = threadIdx.x; i < tail; i += blockDim.x) {
    float x = shocks[order[i] * kFactors + p.factor];
    s -= p.notional * (p.delta * x + 0.5f * p.gamma * x * x);
  }
  part[threadIdx.x] = s;
  __syncthreads();
  for (int w = 64; w > 0; w >>= 1) {
    if (threadIdx.x < w)
      part[threadIdx.x] += part[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    contribution[blockIdx.x] = part[0] / tail;
}

} // namespace

int main(int argc, char** argv) {
  int want = argc > 1 ? std::atoi(argv[1]) : 8192;
  int n = 2 * kChunk;
  while (n < want)
    n *= 2;

  std::vector<Position> book(kPositions);
  unsigned x = 99;
  auto rnd = [&] {
    x = x * 1103515245u + 12345u;
    return ((x >> 9) & 0xffff) / 65536.0f;
  };
  for (auto& p : book) {
    p.factor = (int)(rnd() * kFactors);
    p.delta = rnd() * 2 - 0.8f;
    p.gamma = rnd() * 10 - 5;
    p.notional = 100 + 900 * rnd();
  }
  float *shocks, *loss, *contribution;
  int* id;
  Position* dbook;
  ok(cudaMalloc(&shocks, sizeof(float) * n * kFactors));
  ok(cudaMalloc(&loss, sizeof(float) * n));
  ok(cudaMalloc(&id, sizeof(int) * n));
  ok(cudaMalloc(&contribution, sizeof(float) * kPositions));
  ok(cudaMalloc(&dbook, sizeof(Position) * kPositions));
  ok(cudaMemcpy(dbook, book.data(), sizeof(Position) * kPositions, cudaMemcpyHostToDevice));

  makeShocks<<<dim3(n / 256, kFactors), 256>>>(shocks, n);
  revalue<<<n / 256, 256>>>(shocks, dbook, loss, id, n);
  std::vector<float> raw(n), sorted(n), contrib(kPositions);
  ok(cudaMemcpy(raw.data(), loss, sizeof(float) * n, cudaMemcpyDeviceToHost));
  sortChunks<<<n / kChunk, kChunk / 2>>>(loss, id);
  for (int size = 2 * kChunk; size <= n; size <<= 1) {
    for (int stride = size >> 1; stride >= kChunk; stride >>= 1)
      mergeGlobal<<<n / 512, 256>>>(loss, id, size, stride);
    mergeShared<<<n / kChunk, kChunk / 2>>>(loss, id, size);
  }
  int tail = n / 50;
  tailContribution<<<kPositions, 128>>>(shocks, dbook, id, tail, contribution);
  ok(cudaGetLastError());
  ok(cudaMemcpy(sorted.data(), loss, sizeof(float) * n, cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(contrib.data(), contribution, sizeof(float) * kPositions, cudaMemcpyDeviceToHost));

  int errors = 0;
  for (int s = 0; s < n; s += 101) {
    double pnl = 0;
    for (auto& p : book) {
      double m = shock(s, p.factor);
      pnl += p.notional * (p.delta * m + 0.5 * p.gamma * m * m);
    }
    if (std::fabs(-pnl - raw[s]) > 0.05)
      ++errors;
  }
  std::sort(raw.begin(), raw.end(), std::greater<float>());
  for (int i = 0; i < n; ++i)
    if (raw[i] != sorted[i])
      ++errors;
  double shortfall = std::accumulate(raw.begin(), raw.begin() + tail, 0.0) / tail;
  double parts = std::accumulate(contrib.begin(), contrib.end(), 0.0);
  if (std::fabs(shortfall - parts) > 1e-3 * std::fabs(shortfall))
    ++errors;
  std::printf("VaR(98%%) %.3f, expected shortfall %.3f\n", sorted[tail], shortfall);
  if (errors) {
    std::printf("FAIL %d errors\n", errors);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
