// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  extern __shared__ float part[];
  part[threadIdx.x] = x[threadIdx.x];
}

int main() { k<<<9, 48, 192>>>(nullptr); }
// CHECK: :3: reshape refused: line 8 launches k with shared memory [dynamic-shared]
