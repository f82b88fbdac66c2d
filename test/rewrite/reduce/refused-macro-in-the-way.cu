// RUN: %refused fix %s --only reduce --line 9 --block 256 --unproven > %t
// RUN: FileCheck-19 %s < %t
#define END __syncthreads(); } if (threadIdx.x == 0) out[0] = a[0]

__global__ void sums(const float* in, float* out) {
  __shared__ float a[256];
  a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      a[threadIdx.x] += a[threadIdx.x + s];
    END;
}

// CHECK: :9: reduce refused: the loop in line 9 begins or ends in a macro [macro-in-the-way]
