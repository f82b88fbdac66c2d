// RUN: %refused fix %s --only split-branch --line 4 --unproven > %t && FileCheck-19 %s < %t

__device__ float pick(int way) {
  if (way == 0)
    return 1;
  else
    return 2;
}

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pick(mask[i]);
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :4: split-branch refused: the branch is part of a function, not of the kernel itself; it cannot be moved there: pick returns from within: let it return at its end alone [not-in-kernel]
