// RUN: %refused fix %s --only reduce --line 16 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=UNKNOWN < %t
// RUN: %refused fix %s --only reduce --line 16 --block 96 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=ODD < %t
// RUN: %refused fix %s --only reduce --line 16 --block 32,8 --unproven > %t
// RUN: FileCheck-19 %s --check-prefix=FLAT < %t
//
// UNKNOWN: :16: reduce refused: launches have blocks of different sizes, or none was seen [block-size-unknown]
// ODD: :16: reduce refused: 96 threads of a block are not a power of two from 32 to 1024 [block-size-unfit]
// FLAT: :16: reduce refused: blocks of 32 x 8 x 1 threads are not one-dimensional [block-size-unfit]

__global__ void sums(const float* in, float* out) {
  __shared__ float a[256];
  a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      a[threadIdx.x] += a[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[0] = a[0];
}
