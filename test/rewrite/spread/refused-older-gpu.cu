// RUN: %refused fix %s --only spread --line 4 --unproven --block 64 --device 8800gtx > %t && FileCheck-19 %s < %t

__global__ void k(int* out, const int* in, int n) {
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int j = 0; j < n; ++j)
      sum += in[j];
    out[blockIdx.x] = sum;
  }
}
// CHECK: :4: spread refused: lanes of compute capability 1.0 cannot do that [older-gpu]
