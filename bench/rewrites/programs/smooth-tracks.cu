// SPDX-License-Identifier: Apache-2.0
// Exponential smoothing along the samples of every track.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void smooth(const int* first, const float* sample, float* smoothed, int tracks,
                       float alpha) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tracks) return;
  float level = 0.0f;
  for (int k = first[t]; k < first[t + 1]; ++k) {
    level = alpha * sample[k] + (1.0f - alpha) * level;
    smoothed[k] = level;
  }
}

int main(int argc, char** argv) {
  int tracks = argc > 1 ? std::atoi(argv[1]) : 100000;
  std::mt19937 gen(40);
  std::vector<int> first(tracks + 1, 0);
  for (int t = 0; t < tracks; ++t) first[t + 1] = first[t] + 16 + gen() % 64;
  std::vector<float> sample(first[tracks]);
  for (float& v : sample) v = (gen() & 1023) / 256.0f;
  int* dFirst;
  float *dSample, *dSmoothed;
  cudaMalloc(&dFirst, first.size() * sizeof(int));
  cudaMalloc(&dSample, sample.size() * sizeof(float));
  cudaMalloc(&dSmoothed, sample.size() * sizeof(float));
  cudaMemcpy(dFirst, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dSample, sample.data(), sample.size() * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<(tracks + 255) / 256, 256>>>(dFirst, dSample, dSmoothed, tracks, 0.25f);
  cudaMemcpy(sample.data(), dSmoothed, sample.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float v : sample) {
    sum += v;
    squares += double(v) * v;
  }
  std::printf("mean %.5f mean square %.5f\n", sum / sample.size(), squares / sample.size());
  cudaFree(dFirst);
  cudaFree(dSample);
  cudaFree(dSmoothed);
  return 0;
}
