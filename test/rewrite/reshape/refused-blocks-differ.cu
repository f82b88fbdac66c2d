// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  k<<<9, 48>>>(nullptr);
  k<<<9, 20>>>(nullptr);
}
// CHECK: :3: reshape refused: k is launched with 48 and with 20 threads a block [launch-shape]
