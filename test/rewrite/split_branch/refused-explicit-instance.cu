// RUN: %refused fix %s --only split-branch --line 6 --unproven > %t && FileCheck-19 %s < %t

template <typename T>
__global__ void k(const int* mask, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

template __global__ void k<float>(const int*, float*, int);

int main() {
  k<float><<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :6: split-branch refused: line 12 names an instance of k for itself [explicit-instance]
