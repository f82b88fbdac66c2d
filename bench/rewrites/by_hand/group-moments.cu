// SPDX-License-Identifier: Apache-2.0
// Count of valid samples, mean and variance of every sensor's readings.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Stats {
  int valid;
  float mean;
  float variance;
};

__global__ void moments(const int* first, const float* reading, Stats* stats, int sensors) {
  int id = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (id >= sensors) return;
  int end = first[id + 1];
  int valid = 0;
  double sum = 0.0, squares = 0.0;
  for (int k = first[id] + lane; k < end; k += 32) {
    float v = reading[k];
    if (v >= 0.0f) {
      valid += 1;
      sum += v;
      squares += double(v) * v;
    }
  }
  valid = __reduce_add_sync(~0u, valid);
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_down_sync(~0u, sum, d);
    squares += __shfl_down_sync(~0u, squares, d);
  }
  if (lane == 0) {
    Stats s;
    s.valid = valid;
    s.mean = valid ? float(sum / valid) : 0.0f;
    s.variance = valid ? float(squares / valid - (sum / valid) * (sum / valid)) : 0.0f;
    stats[id] = s;
  }
}

int main(int argc, char** argv) {
  int sensors = argc > 1 ? std::atoi(argv[1]) : 100000;
  std::mt19937 gen(365);
  std::vector<int> first(sensors + 1, 0);
  for (int i = 0; i < sensors; ++i) first[i + 1] = first[i] + 24 + gen() % 144;
  std::vector<float> reading(first[sensors]);
  for (float& r : reading) r = gen() % 16 == 0 ? -1.0f : 10.0f + (gen() % 4096) / 512.0f;
  int* dFirst;
  float* dReading;
  Stats* dStats;
  cudaMalloc(&dFirst, first.size() * sizeof(int));
  cudaMalloc(&dReading, reading.size() * sizeof(float));
  cudaMalloc(&dStats, sensors * sizeof(Stats));
  cudaMemcpy(dFirst, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dReading, reading.data(), reading.size() * sizeof(float), cudaMemcpyHostToDevice);
  moments<<<(sensors + 3) / 4, 128>>>(dFirst, dReading, dStats, sensors);
  std::vector<Stats> stats(sensors);
  cudaMemcpy(stats.data(), dStats, sensors * sizeof(Stats), cudaMemcpyDeviceToHost);
  long long valid = 0;
  double mean = 0, variance = 0;
  for (const Stats& s : stats) {
    valid += s.valid;
    mean += s.mean;
    variance += s.variance;
  }
  std::printf("valid %lld mean %.5f variance %.5f\n", valid, mean / sensors,
              variance / sensors);
  cudaFree(dFirst);
  cudaFree(dReading);
  cudaFree(dStats);
  return 0;
}
