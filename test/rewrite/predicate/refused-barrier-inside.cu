// RUN: %refused fix %s --only predicate --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t

__global__ void wait(float* out, int mode) {
  float x = out[threadIdx.x];
  if (mode > 1) {
    x = x + 1.0f;
    __syncthreads();
  } else {
    x = x + 2.0f;
    __syncthreads();
  }
  out[threadIdx.x] = x;
}
// CHECK: :6: predicate refused: line 8 calls __syncthreads, {{.*}} [barrier-inside]
