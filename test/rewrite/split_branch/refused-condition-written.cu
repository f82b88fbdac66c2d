// RUN: %refused fix %s --only split-branch --line 8 --unproven > %t && FileCheck-19 %s < %t

__device__ bool isLit(const float* place) { return *place > 0; }

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + n;
  const bool lit = isLit(out + i);
  if (lit)
    out[i] = -1;
  else
    out[i] = 2;
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :8: split-branch refused: line 3 decides by out, which the branch writes: the second way would see what the first one wrote [condition-written]
