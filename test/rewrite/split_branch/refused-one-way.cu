// RUN: %heddle fix %s --only split-branch --line 5 --block 32 --unproven > %t || true
// RUN: FileCheck-19 %s < %t
__global__ void walk(float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

void run(float* a, float* b, int n) { walk<<<n / 32, 32>>>(a, b, n); }

// CHECK: :5: split-branch refused: only one way of the branch has something to do [one-way]
