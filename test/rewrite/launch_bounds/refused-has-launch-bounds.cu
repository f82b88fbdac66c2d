// RUN: %refused fix %s --only launch-bounds --line 3 --unproven --block 64 > %t && FileCheck-19 %s < %t

__global__ void __launch_bounds__(128) k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1;
}
// CHECK: :3: launch-bounds refused: k has __launch_bounds__ already [has-launch-bounds]
