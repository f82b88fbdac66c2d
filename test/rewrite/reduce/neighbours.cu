// RUN: %heddle fix %s --only reduce --line 11 --block 256 --unproven | FileCheck-19 %s
// RUN: %heddle fix %s --only reduce --line 12 --block 256 --unproven | FileCheck-19 %s
//
// Named by the loop or by the branch in it.

__global__ void sums(const float* in, float* out) {
  __shared__ float a[256];
  const unsigned t = threadIdx.x;
  a[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      a[t] += a[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = a[0];
}

// CHECK:      +#include <heddle/tree{{_}}reduce.cuh>
// CHECK:         __syncthreads();
// CHECK-NEXT: -  for (unsigned s = 1; s < blockDim.x; s *= 2) {
// CHECK:      -  }
// CHECK-NEXT: +  heddle::reduce_neighbours<256>(a);
// CHECK-NEXT: +  __syncthreads();
// CHECK-NEXT:    if (t == 0)
