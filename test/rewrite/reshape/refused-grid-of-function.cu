// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

dim3 grid();

int main() {
  k<<<grid(), 48>>>(nullptr);
}
// CHECK: :3: reshape refused: line 10 computes an argument that may not be the same when it is computed again [side-effects-in-launch]
