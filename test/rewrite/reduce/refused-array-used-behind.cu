// RUN: %refused fix %s --only reduce --line 10 --block 256 --unproven > %t
// RUN: FileCheck-19 %s < %t
//
// The loop leaves the sums of all pairs in the array, and somebody reads one.

__global__ void sums(const float* in, float* out) {
  __shared__ float a[256];
  a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      a[threadIdx.x] += a[threadIdx.x + s];
    __syncthreads();
  }
  out[threadIdx.x] = a[0] + a[1];
}
// CHECK: :10: reduce refused: line 15 uses a, of which only the first element is kept [array-used-behind]
