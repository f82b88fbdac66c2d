// RUN: %refused fix %s --only aggregate --line 3 --unproven --block 64 --device p100 > %t && FileCheck-19 %s < %t

__global__ void k(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > n)
    atomicAdd(out, 1);
}
// CHECK: :3: aggregate refused: lanes of compute capability 6.0 cannot do that [older-gpu]
