// SPDX-License-Identifier: Apache-2.0
// Filters a signal with a long set of taps that one thread of each block copies to shared memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TAPS 200

__global__ void fir(const float* signal, const float* taps, float* out, int n) {
  __shared__ float local[TAPS];
  if (threadIdx.x == 0) {
    for (int t = 0; t < TAPS; t++) {
      local[t] = taps[t];
    }
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int t = 0; t < TAPS; t++) {
      sum += local[t] * signal[i + t];
    }
    out[i] = sum;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::vector<float> signal(n + TAPS), taps(TAPS), out(n);
  unsigned s = 6;
  for (float& v : signal) {
    s = s * 1103515245u + 12345u;
    v = static_cast<float>((s >> 16) & 1023) / 512.0f - 1.0f;
  }
  for (int t = 0; t < TAPS; ++t) taps[t] = (t % 9 - 4) / 64.0f;
  float *dSignal, *dTaps, *dOut;
  cudaMalloc(&dSignal, signal.size() * sizeof(float));
  cudaMalloc(&dTaps, TAPS * sizeof(float));
  cudaMalloc(&dOut, n * sizeof(float));
  cudaMemcpy(dSignal, signal.data(), signal.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dTaps, taps.data(), TAPS * sizeof(float), cudaMemcpyHostToDevice);
  fir<<<(n + 127) / 128, 128>>>(dSignal, dTaps, dOut, n);
  cudaMemcpy(out.data(), dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  double power = 0;
  for (float v : out) power += double(v) * v;
  std::printf("mean power %.6e\n", power / n);
  cudaFree(dSignal);
  cudaFree(dTaps);
  cudaFree(dOut);
  return 0;
}
