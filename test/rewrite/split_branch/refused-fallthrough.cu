// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (mask[i]) {
  case 0:
    out[i] = 1;
  case 1:
    out[i] += 2;
  }
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :5: split-branch refused: the case in front of line 8 falls through into it [fallthrough]
