// SPDX-License-Identifier: Apache-2.0
// A barrier waits for the threads that have not returned, also where part of a warp has; from
// compute capability 7.0 on.
#include "../check.h"

// Lanes 8 to 31 of the second warp return.
__global__ void guarded(int* out) {
  if (threadIdx.x >= 40)
    return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

// The usual guard, in the last block of a grid that does not fit its data.
__global__ void scale(const float* in, float* out, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 2 * tile[threadIdx.x ^ 1];
}

// Threads leave the loop at different times and return; the others go on meeting in it.
__global__ void fewerAndFewer(int* out) {
  int left = threadIdx.x % 4;
  while (left >= 0) {
    out[threadIdx.x]++;
    __syncthreads();
    left--;
  }
}

int main() {
  constexpr int n = 100;
  DeviceArray<int> ones(64), turns(64);
  CHECK_CUDA(cudaMemset(ones, 0, 64 * sizeof(int)));
  CHECK_CUDA(cudaMemset(turns, 0, 64 * sizeof(int)));
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  DeviceArray<float> in(values), out(n);
  guarded<<<1, 64>>>(ones);
  CHECK_LAUNCH();
  scale<<<2, 64>>>(in, out, n);
  CHECK_LAUNCH();
  fewerAndFewer<<<1, 64>>>(turns);
  CHECK_LAUNCH();
  expectArray("ones", ones.read(), [](size_t i) { return i < 40 ? 1 : 0; });
  expectArray("out", out.read(), [](size_t i) { return 2.0f * float(i ^ 1); });
  expectArray("turns", turns.read(), [](size_t i) { return int(i % 4) + 1; });
  return finish();
}
