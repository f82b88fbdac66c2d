// RUN: %refused fix %s --only split-loop --line 3 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, int n) {
  float x = a[threadIdx.x];
  while (--n > 0)
    x += a[n];
  a[threadIdx.x] = x;
}

// CHECK: :3: split-loop refused: the kernel has no for loop [no-loop]
