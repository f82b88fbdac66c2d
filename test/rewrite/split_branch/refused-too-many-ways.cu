// RUN: %refused fix %s --only split-branch --line 5 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(const int* mask, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (mask[i]) {
  case 0:
    out[i] = 0;
    break;
  case 1:
    out[i] = 1;
    break;
  case 2:
    out[i] = 2;
    break;
  case 3:
    out[i] = 3;
    break;
  case 4:
    out[i] = 4;
    break;
  case 5:
    out[i] = 5;
    break;
  case 6:
    out[i] = 6;
    break;
  case 7:
    out[i] = 7;
    break;
  case 8:
    out[i] = 8;
    break;
  }
}

int main() {
  k<<<4, 64>>>(nullptr, nullptr, 200);
}
// CHECK: :5: split-branch refused: the branch takes 10 ways; 8 are the most [too-many-ways]
