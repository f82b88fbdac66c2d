// RUN: %refused fix %s --only launch-bounds --line 3 --unproven --block 64 --registers k=32 > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1;
}
// CHECK: :3: launch-bounds refused: k needs 32 registers: up to 32 all threads of a multiprocessor have theirs [no-register-pressure]
