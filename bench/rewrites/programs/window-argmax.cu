// SPDX-License-Identifier: Apache-2.0
// Position and score of the best match in each window of a correlation trace.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WINDOW 256

struct Peak {
  int position;
  int score;
};

__device__ int correlate(const signed char* trace, const signed char* pattern, int at) {
  int s = 0;
  for (int k = 0; k < 16; ++k) s += trace[at + k] * pattern[k];
  return s;
}

__global__ void findPeaks(const signed char* trace, const signed char* pattern, Peak* peaks,
                          int positions) {
  __shared__ int score[WINDOW];
  int t = threadIdx.x;
  int at = blockIdx.x * WINDOW + t;
  score[t] = at < positions ? correlate(trace, pattern, at) : -1000000;
  __syncthreads();
  if (t == 0) {
    int best = 0;
    for (int k = 1; k < WINDOW; ++k) {
      if (score[k] > score[best]) best = k;
    }
    peaks[blockIdx.x].position = blockIdx.x * WINDOW + best;
    peaks[blockIdx.x].score = score[best];
  }
}

int main(int argc, char** argv) {
  int positions = argc > 1 ? std::atoi(argv[1]) : 3000000;
  int windows = (positions + WINDOW - 1) / WINDOW;
  std::vector<signed char> trace(positions + 16), pattern(16);
  unsigned s = 8;
  for (signed char& v : trace) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<signed char>(static_cast<int>(s >> 28) - 8);
  }
  for (int k = 0; k < 16; ++k) pattern[k] = static_cast<signed char>((k * 5) % 7 - 3);
  signed char *dTrace, *dPattern;
  Peak* dPeaks;
  cudaMalloc(&dTrace, trace.size());
  cudaMalloc(&dPattern, 16);
  cudaMalloc(&dPeaks, windows * sizeof(Peak));
  cudaMemcpy(dTrace, trace.data(), trace.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dPattern, pattern.data(), 16, cudaMemcpyHostToDevice);
  findPeaks<<<windows, WINDOW>>>(dTrace, dPattern, dPeaks, positions);
  std::vector<Peak> peaks(windows);
  cudaMemcpy(peaks.data(), dPeaks, windows * sizeof(Peak), cudaMemcpyDeviceToHost);
  long long where = 0, sum = 0;
  for (const Peak& p : peaks) {
    where += p.position;
    sum += p.score;
  }
  std::printf("positions %lld scores %lld\n", where, sum);
  cudaFree(dTrace);
  cudaFree(dPattern);
  cudaFree(dPeaks);
  return 0;
}
