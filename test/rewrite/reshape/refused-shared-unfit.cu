// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  __shared__ __align__(16) float part[48];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = part[47 - threadIdx.x];
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: line 4 declares part, which is aligned by hand [shared-unfit]
