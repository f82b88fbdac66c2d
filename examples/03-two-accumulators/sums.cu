// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's loop with two accumulators: each turn evaluates one polynomial at a point
// of one array and another at a point of a second one. The sums have nothing to do with each other,
// but share the registers of one loop: 11 on a G80, and 10 are what all its threads could have.
//
//   heddle fix examples/03-two-accumulators/sums.cu --device 8800gtx
#include "../common.h"

/// A polynomial at x, by Horner's rule.
__device__ float evaluate(const float* coefficients, int degree, float x) {
  float value = 0.0f;
#pragma unroll 1
  for (int k = 0; k < degree; ++k)
    value = fmaf(value, x, coefficients[k]);
  return value;
}

__global__ void sums(const float* a, const float* b, const float* p, const float* q, float* results,
                     int length, int stride, int degree, float shift, float turn) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float above = 0.0f, below = 1.0f;
#pragma unroll 1
  for (int i = 0; i < length; ++i) {
    above += evaluate(p, degree, fmaf(a[i * stride + thread], 0.5f, shift * float(thread)));
    below += evaluate(q, degree, fmaf(b[i * stride + thread], 0.25f, turn * float(thread % 32)));
  }
  results[thread] = above / below;
}

std::vector<float> randomNumbers(int count, unsigned state) {
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 16777216.0f;
  }
  return values;
}

int main(int argc, char** argv) {
  const int length = argc > 1 ? std::atoi(argv[1]) : 8;
  const int blocks = 264, threads = 256, count = blocks * threads, degree = 16;
  const float* a = toDevice(randomNumbers(length * count, 1));
  const float* b = toDevice(randomNumbers(length * count, 2));
  const float* p = toDevice(randomNumbers(degree, 3));
  const float* q = toDevice(randomNumbers(degree, 4));
  float* results = toDevice(std::vector<float>(count));
  sums<<<blocks, threads>>>(a, b, p, q, results, length, count, degree, 1e-6f, 1e-3f);
  CHECK(cudaGetLastError());
  printMean("quotients", toHost(results, count));
}
