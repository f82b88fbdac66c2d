// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x, int n = 3) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: a parameter of k has a default, or takes as many as there are [unfit-parameters]
