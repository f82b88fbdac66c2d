// RUN: %heddle fix %s --only reduce --line 9 --block 128 --unproven | FileCheck-19 %s

__global__ void sums(const int* in, int* out) {
  extern __shared__ int words[];
  const int thread = threadIdx.x;
  words[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
#pragma unroll
  for (unsigned int s = 1; s < blockDim.x; s <<= 1) {
    int index = 2 * s * thread;
    if (index < blockDim.x) {
      words[index] |= words[index + s];
    }
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + thread] = words[0];
}

// CHECK:      -#pragma unroll
// CHECK:      +  heddle::reduce_neighbours<128>(words, [](auto x, auto y) { return x | y; });
// CHECK-NEXT: +  __syncthreads();
