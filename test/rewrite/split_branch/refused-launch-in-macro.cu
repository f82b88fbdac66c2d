// RUN: %refused fix %s --only split-branch --line 7 --unproven > %t && FileCheck-19 %s < %t

#define LAUNCH(n) k<<<4, 64>>>(nullptr, nullptr, n)

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[i])
    out[i] = 1;
  else
    out[i] = 2;
}

int main() {
  LAUNCH(200);
}
// CHECK: :7: split-branch refused: line 14 launches k in a macro or another file [launch-in-macro]
