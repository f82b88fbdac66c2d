// RUN: %refused fix %s --only align-to-warp --line 7 --block 256 --unproven > %t
// RUN: FileCheck-19 %s < %t
#define THREAD(n) (threadIdx.x + n)

__global__ void walk(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    a[i] *= 2;
  else
    a[i] += THREAD(1);
}

// CHECK: :7: align-to-warp refused: threadIdx.x in line 10 comes from a macro [macro-in-the-way]
