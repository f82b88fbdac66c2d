// RUN: %refused fix %s --only share-rows --line 6 --unproven --block 64 --device 8800gtx > %t && FileCheck-19 %s < %t

__global__ void k(int* out, const int* start, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = start[i]; j < start[i + 1]; ++j)
    sum += in[j];
  out[i] = sum;
}
// CHECK: :6: share-rows refused: lanes of compute capability 1.0 cannot do that [older-gpu]
