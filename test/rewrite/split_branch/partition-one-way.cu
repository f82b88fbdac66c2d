// RUN: %heddle fix %s --only split-branch --line 5 --block 32 --unproven > %t
// RUN: grep -v CHECK %t | FileCheck-19 %s
__global__ void walk(float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

void run(float* a, float* b, int n) { walk<<<n / 32, 32>>>(a, b, n); }

// A way with nothing to do is a way.
// CHECK: +    if (i < n) {
// CHECK-NEXT: +      if (Way != 0)
// CHECK-NEXT: +        return 0;
// CHECK: +    return 1;
// CHECK: +  return heddle::split_by_partition(
