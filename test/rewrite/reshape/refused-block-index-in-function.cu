// RUN: %refused fix %s --only reshape --line 5 --unproven > %t && FileCheck-19 %s < %t

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void k(float* x) {
  x[place()] = 1;
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :5: reshape refused: line 3 uses blockIdx.x in a function [block-index-in-function]
