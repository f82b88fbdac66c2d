// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  void (*kernel)(float*) = k;
  kernel<<<9, 48>>>(nullptr);
}
// CHECK: :3: reshape refused: line 8 names k other than to launch it [address-taken]
