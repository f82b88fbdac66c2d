// RUN: %heddle fix %s --only split-branch --line 7 --form "by test" --unproven > %t && grep -v CHECK %t | FileCheck-19 %s

// Both ways write what the kernel read before, but no thread's way depends on it.
__global__ void move(const int* kinds, float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float old = x[i];
  if (kinds[i] > n)
    x[i] = old * 2;
  else
    x[i] = -old;
}

void launch(const int* kinds, float* x) { move<<<8, 64>>>(kinds, x, 3); }

// CHECK: +template <int Way>
// CHECK: +void launch(const int* kinds, float* x) { move<0><<<8, 64>>>(kinds, x, 3); move<1><<<8, 64>>>(kinds, x, 3); }
