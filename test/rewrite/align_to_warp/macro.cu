// RUN: %heddle fix %s --only align-to-warp --line 7 --block 256 --unproven > %t
// RUN: grep -v CHECK %t | FileCheck-19 %s
#define THREAD threadIdx.x

__global__ void walk(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    a[i] *= 2;
  else
    a[i] += THREAD;
}

// A macro that is threadIdx.x and nothing else is replaced whole.
// CHECK: +  const int i = blockIdx.x * blockDim.x + thread;
// CHECK: -    a[i] += THREAD;
// CHECK-NEXT: +    a[i] += thread;
