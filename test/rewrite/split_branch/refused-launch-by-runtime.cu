// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
}

int main() {
  void* arguments[3] = {};
  cudaLaunchKernel((void*)k, dim3(4), dim3(64), arguments, 0, 0);
}
// CHECK: :5: split-branch refused: line 11 launches k with arguments that are not written there [launch-by-runtime]
