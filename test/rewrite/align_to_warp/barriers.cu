// RUN: %heddle fix %s --only align-to-warp --line 16 --block 256,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run %s | grep result: > %t.before
// RUN: %heddle run %t.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// The new number goes wherever threadIdx.x went, so shared memory and barriers see the same threads.
#include <cstdio>

__global__ void mix(const float* in, float* out) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  float x = tile[255 - threadIdx.x];
  if (i % 4 == 1) {
    for (int k = 0; k < 20; ++k)
      x = sqrtf(x + k);
  } else {
    x = tile[threadIdx.x ^ 1] - x;
  }
  __syncthreads();
  tile[threadIdx.x] = x;
  __syncthreads();
  out[i] = x - tile[(threadIdx.x + 100) % 256];
}

int main() {
  const int n = 8 * 256;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = i * 37 % 101;
  mix<<<8, 256>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned hash = 0;
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    __builtin_memcpy(&bits, &out[i], 4);
    hash = hash * 31 + bits;
  }
  printf("result: %08x\n", hash);
}

// CHECK: +  assert(blockDim.x % 4 == 0);
// CHECK-NEXT: +  const unsigned thread = threadIdx.x % (blockDim.x / 4) * 4 + threadIdx.x / (blockDim.x / 4);
// CHECK-NEXT: __shared__ float tile[256];
// CHECK: +  const int i = blockIdx.x * blockDim.x + thread;
// CHECK-NEXT: +  tile[thread] = in[i];
// CHECK: +  float x = tile[255 - thread];
// CHECK: +    x = tile[thread ^ 1] - x;
// CHECK: +  tile[thread] = x;
// CHECK: +  out[i] = x - tile[(thread + 100) % 256];
