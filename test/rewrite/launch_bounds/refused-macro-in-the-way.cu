// RUN: %refused fix %s --only launch-bounds --line 5 --unproven --block 64 > %t && FileCheck-19 %s < %t

#define NAME k

__global__ void NAME(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1;
}
// CHECK: :5: launch-bounds refused: the name of k in line 5 comes from a macro [macro-in-the-way]
