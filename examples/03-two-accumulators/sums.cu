// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's loop with two accumulators: one loop sums products of two arrays and
// quotients of two others. It keeps four addresses and two sums in registers; as two loops, each
// needs half of them. On a G80 that decides between 67 and 100 % occupancy.
//
//   heddle fix examples/03-two-accumulators/sums.cu --device 8800gtx
#include "../common.h"

__global__ void sums(const float* a, const float* b, const float* c, const float* d, float* results,
                     int length, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float products = 0.0f, quotients = 0.0f;
#pragma unroll 1
  for (int i = 0, place = thread; i < length; ++i, place += stride) {
    products += a[place] * b[place];
    quotients += __fdividef(c[place], d[place]);
  }
  results[thread] = products - quotients;
}

int main(int argc, char** argv) {
  const int length = argc > 1 ? std::atoi(argv[1]) : 16;
  const int blocks = 264, threads = 256, count = blocks * threads;
  std::vector<float> values(static_cast<size_t>(count) * length);
  unsigned state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = 1.0f + static_cast<float>(state >> 8) / 16777216.0f;
  }
  const float* a = toDevice(values);
  const float* b = toDevice(values);
  const float* c = toDevice(values);
  const float* d = toDevice(values);
  float* results = toDevice(std::vector<float>(count));
  sums<<<blocks, threads>>>(a, b, c, d, results, length, count);
  CHECK(cudaGetLastError());
  printMean("sums", toHost(results, count));
}
