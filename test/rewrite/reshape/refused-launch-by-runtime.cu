// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  float* x = nullptr;
  void* arguments[] = {&x};
  cudaLaunchKernel((void*)k, dim3(9), dim3(48), arguments, 0, nullptr);
}
// CHECK: :3: reshape refused: line 10 launches k by a function of the runtime [launch-by-runtime]
