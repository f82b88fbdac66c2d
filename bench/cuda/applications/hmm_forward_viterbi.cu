// SPDX-License-Identifier: Apache-2.0
// Runs the scaled forward algorithm and Viterbi decoding of a hidden Markov model over a batch of
// observation sequences.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

static constexpr int N = 64; // hidden states
static constexpr int M = 32; // symbols
static constexpr int T = 40; // longest sequence

template <class T_> struct DeviceArray {
  T_* ptr = nullptr;
  size_t count;
  explicit DeviceArray(size_t n) : count(n) {
    if (cudaMalloc(&ptr, n * sizeof(T_)) != cudaSuccess) {
      printf("FAIL out of memory\n");
      exit(1);
    }
  }
  explicit DeviceArray(const std::vector<T_>& v) : DeviceArray(v.size()) {
    cudaMemcpy(ptr, v.data(), count * sizeof(T_), cudaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(ptr); }
  std::vector<T_> get() const {
    std::vector<T_> v(count);
    if (cudaMemcpy(v.data(), ptr, count * sizeof(T_), cudaMemcpyDeviceToHost) != cudaSuccess) {
      printf("FAIL %s\n", cudaGetErrorString(cudaGetLastError()));
      exit(1);
    }
    return v;
  }
  operator T_*() const { return ptr; }
};

// logarithms of the model's tables for Viterbi
__global__ void takeLogs(const float* a, float* loga, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    loga[i] = logf(a[i] + 1e-20f);
}

// block = sequence, thread = state; alpha is normalised at every step
__global__ void forward(const float* A, const float* B, const float* pi, const int* obs,
                        const int* length, float* loglik) {
  __shared__ float alpha[N];
  __shared__ float warpSum[N / 32];
  int seq = blockIdx.x, s = threadIdx.x;
  int len = length[seq];
  const int* o = obs + seq * T;
  float ll = 0;
  float a = pi[s] * B[s * M + o[0]];
  for (int t = 0; t < len; t++) {
    if (t > 0) {
      float x = 0;
      for (int k = 0; k < N; k++)
        x += alpha[k] * A[k * N + s];
      a = x * B[s * M + o[t]];
    }
    float sum = a;
    for (int d = 16; d; d >>= 1)
      sum += __shfl_xor_sync(~0u, sum, d);
    if ((s & 31) == 0)
      warpSum[s >> 5] = sum;
    __syncthreads();
    float total = 0;
    for (int w = 0; w < N / 32; w++)
      total += warpSum[w];
    alpha[s] = a / total;
    ll += logf(total);
    __syncthreads();
  }
  if (s == 0)
    loglik[seq] = ll;
}

// Viterbi: transition logs read by row (thread's own row, so uncoalesced), back pointers as bytes
__global__ void viterbi(const float* logAT, const float* logB, const float* logPi, const int* obs,
                        const int* length, unsigned char* back, int* lastState, float* best) {
  __shared__ float delta[2][N];
  int seq = blockIdx.x, s = threadIdx.x, cur = 0;
  int len = length[seq];
  const int* o = obs + seq * T;
  delta[0][s] = logPi[s] + logB[s * M + o[0]];
  __syncthreads();
  for (int t = 1; t < len; t++) {
    float top = -1e30f;
    int arg = 0;
    for (int k = 0; k < N; k++) {
      float v = delta[cur][k] + logAT[s * N + k];
      if (v > top) {
        top = v;
        arg = k;
      }
    }
    back[(seq * T + t) * N + s] = arg;
    delta[cur ^ 1][s] = top + logB[s * M + o[t]];
    cur ^= 1;
    __syncthreads();
  }
  if (s == 0) {
    int arg = 0;
    for (int k = 1; k < N; k++)
      if (delta[cur][k] > delta[cur][arg])
        arg = k;
    lastState[seq] = arg;
    best[seq] = delta[cur][arg];
  }
}

__global__ void backtrack(const unsigned char* back, const int* lastState, const int* length,
                          int* path, int sequences) {
  int seq = blockIdx.x * blockDim.x + threadIdx.x;
  if (seq >= sequences)
    return;
  int s = lastState[seq];
  for (int t = length[seq] - 1; t >= 0; t--) {
    path[seq * T + t] = s;
    if (t > 0)
      s = back[(seq * T + t) * N + s];
  }
}

// how often each state pair follows in the decoded paths (re-estimation in the Viterbi training
// manner)
__global__ void countPairs(const int* path, const int* length, int* counts, int sequences) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seq = i / T, t = i % T;
  if (seq >= sequences || t == 0 || t >= length[seq])
    return;
  atomicAdd(&counts[path[i - 1] * N + path[i]], 1);
}

__global__ void transpose(const float* in, float* out) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  out[c * N + r] = in[r * N + c];
}

int main(int argc, char** argv) {
  const int sequences = argc > 1 ? atoi(argv[1]) : 32;
  unsigned long long seed = 1;
  auto rnd = [&] {
    seed = seed * 2862933555777941757ULL + 3037000493ULL;
    return (float)((seed >> 40) / 16777216.0);
  };
  std::vector<float> A(N * N), B(N * M), pi(N);
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < N; j++)
      sum += A[i * N + j] = (j == i ? 6.0f : 0.0f) + rnd() * rnd() * rnd() + 1e-3f;
    for (int j = 0; j < N; j++)
      A[i * N + j] /= sum;
    sum = 0;
    for (int k = 0; k < M; k++)
      sum += B[i * M + k] = (k == i % M ? 4.0f : 0.0f) + rnd() + 1e-3f;
    for (int k = 0; k < M; k++)
      B[i * M + k] /= sum;
    pi[i] = 1.0f / N;
  }
  std::vector<int> obs(sequences * T), length(sequences);
  for (int q = 0; q < sequences; q++) {
    length[q] = T / 2 + (int)(rnd() * (T / 2));
    int s = (int)(rnd() * N);
    for (int t = 0; t < T; t++) {
      float u = rnd(), v = rnd();
      int j = 0, k = 0;
      while (j < N - 1 && (u -= A[s * N + j]) > 0)
        j++;
      s = j;
      while (k < M - 1 && (v -= B[s * M + k]) > 0)
        k++;
      obs[q * T + t] = k;
    }
  }

  DeviceArray<float> dA(A), dB(B), dPi(pi), logA(N * N), logAT(N * N), logB(N * M), logPi(N);
  DeviceArray<float> loglik(sequences), best(sequences);
  DeviceArray<int> dObs(obs), dLen(length), last(sequences), path(sequences * T), pairs(N * N);
  DeviceArray<unsigned char> back((size_t)sequences * T * N);
  cudaMemset(pairs, 0, N * N * sizeof(int));
  cudaMemset(path, 0, sequences * T * sizeof(int));

  takeLogs<<<(N * N + 127) / 128, 128>>>(dA, logA, N * N);
  takeLogs<<<(N * M + 127) / 128, 128>>>(dB, logB, N * M);
  takeLogs<<<1, N>>>(dPi, logPi, N);
  transpose<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(logA, logAT);
  forward<<<sequences, N>>>(dA, dB, dPi, dObs, dLen, loglik);
  viterbi<<<sequences, N>>>(logAT, logB, logPi, dObs, dLen, back, last, best);
  backtrack<<<(sequences + 31) / 32, 32>>>(back, last, dLen, path, sequences);
  countPairs<<<(sequences * T + 255) / 256, 256>>>(path, dLen, pairs, sequences);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(err));
    return 1;
  }

  auto hl = loglik.get(), hb = best.get();
  auto hp = path.get(), hc = pairs.get();
  int bad = 0;
  for (int q = 0; q < sequences; q += 5) {
    const int* o = &obs[q * T];
    std::vector<double> al(N), nx(N), de(N), dn(N);
    double ll = 0;
    for (int t = 0; t < length[q]; t++) {
      double sum = 0;
      for (int s = 0; s < N; s++) {
        double x = 0, top = -1e300;
        for (int k = 0; t && k < N; k++) {
          x += al[k] * A[k * N + s];
          top = std::fmax(top, de[k] + std::log((double)A[k * N + s] + 1e-20));
        }
        nx[s] = (t ? x : pi[s]) * B[s * M + o[t]];
        dn[s] = (t ? top : std::log((double)pi[s])) + std::log((double)B[s * M + o[t]]);
        sum += nx[s];
      }
      for (int s = 0; s < N; s++)
        al[s] = nx[s] / sum;
      de = dn;
      ll += std::log(sum);
    }
    double top = -1e300, along = std::log((double)pi[hp[q * T]]);
    for (int s = 0; s < N; s++)
      top = std::fmax(top, de[s]);
    for (int t = 0; t < length[q]; t++) {
      if (t)
        along += std::log((double)A[hp[q * T + t - 1] * N + hp[q * T + t]]);
      along += std::log((double)B[hp[q * T + t] * M + o[t]]);
    }
    if (!(std::fabs(ll - hl[q]) < 1e-3 * std::fabs(ll)) || !(std::fabs(top - hb[q]) < 1e-2) ||
        !(std::fabs(top - along) < 1e-2))
      bad++;
  }
  long pairsSeen = 0, expected = 0;
  for (int c : hc)
    pairsSeen += c;
  for (int l : length)
    expected += l - 1;
  if (pairsSeen != expected)
    bad++;
  printf("log-likelihood of the first sequence %.4f\n", hl[0]);
  printf(bad ? "FAIL %d sequences\n" : "PASS\n", bad);
  return bad ? 1 : 0;
}
