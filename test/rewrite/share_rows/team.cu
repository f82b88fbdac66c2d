// RUN: %heddle fix %s --only share-rows --form "team of 8" --line 20 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A team of lanes for each row, in a larger launch. All loops over rows go along; what the kernel
// stores besides is for the first lane, and a short loop of each lane stays.
#include "../results.cuh"

constexpr int rows = 300;

__global__ void normalise(unsigned* out, const unsigned* value, unsigned* share, int n) {
  const int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= n)
    return;
  const int begin = row * 11, end = begin + row % 11;
  unsigned most = 0, digits = 0;
  unsigned long long sum = 0;
  int at = -1;
  for (int k = begin; k < end; ++k) {
    sum += value[k];
    if (value[k] > most) {
      most = value[k];
      at = k;
    }
  }
  for (int k = 0; k < 3; ++k)
    digits = digits * 10 + at % (k + 2);
  for (int k = begin; k < end; ++k)
    share[k] = value[k] * 100 / unsigned(sum + 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = most;
  if (at >= 0)
    out[row] += unsigned(at) + digits;
}

int main() {
  Words words(rows), share(rows * 11);
  std::vector<unsigned> value(rows * 11);
  for (unsigned i = 0; i < value.size(); ++i)
    value[i] = i * 2654435761u >> 20;
  unsigned* values = nullptr;
  cudaMalloc(&values, value.size() * sizeof(unsigned));
  cudaMemcpy(values, value.data(), value.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  const int threads = 64;
  const dim3 grid((rows + threads - 1) / threads);
  normalise<<<grid, threads>>>(words.out, values, share.out, rows);
  normalise<<<(rows + 63) / 64, dim3(64, 1)>>>(words.out, values, share.out, rows);
  words.print();
  share.print();
}

// CHECK:       const int row = threadIdx.x / 8 + blockIdx.x * (blockDim.x / 8);
// CHECK:       heddle::team_rows<8>(begin, end, heddle::sum(sum), heddle::largest(most, at),
// CHECK-NEXT:      [&](int k, unsigned long long& sum, unsigned& most, int& at) {
// CHECK:       for (int k = 0; k < 3; ++k)
// CHECK-NEXT:    digits = digits * 10 + at % (k + 2);
// CHECK-NEXT:  heddle::team_rows<8>(begin, end, [&](int k) {
// CHECK-NEXT:    share[k] = value[k] * 100 / unsigned(sum + 1);
// CHECK-NEXT:  });
// CHECK-NEXT:  if (threadIdx.x % 8 == 0) {
// CHECK-NEXT:    out[blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8] = most;
// CHECK-NEXT:    if (at >= 0)
// CHECK-NEXT:      out[row] += unsigned(at) + digits;
// CHECK-NEXT:  }
// CHECK:       normalise<<<dim3(8 * grid.x, grid.y, grid.z), threads>>>(
// CHECK-NEXT:  normalise<<<8 * ((rows + 63) / 64), dim3(64, 1)>>>(
