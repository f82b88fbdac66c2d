// RUN: %refused fix %s --only launch-bounds --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1;
}
// CHECK: :3: launch-bounds refused: k is launched with blocks of different sizes, or not at all [block-size-unknown]
