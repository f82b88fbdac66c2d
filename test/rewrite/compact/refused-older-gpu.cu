// RUN: %refused fix %s --only compact --line 5 --unproven --block 64 --device 8800gtx > %t && FileCheck-19 %s < %t

__global__ void k(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > n)
    out[i] = in[i] / n;
}
// CHECK: :5: compact refused: lanes of compute capability 1.0 cannot do that [older-gpu]
