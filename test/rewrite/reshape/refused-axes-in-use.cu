// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z] = 1;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: k asks for its thread along x, y and z [axes-in-use]
