// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void __launch_bounds__(48) k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: the __launch_bounds__ of k allow no more [small-launch-bounds]
