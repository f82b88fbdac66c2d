// RUN: %refused fix %s --only refill --line 5 --unproven --block 64 --device 8800gtx > %t && FileCheck-19 %s < %t

__global__ void k(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (out[i] > n)
    out[i] /= in[i];
}
// CHECK: :5: refill refused: lanes of compute capability 1.0 cannot do that [older-gpu]
