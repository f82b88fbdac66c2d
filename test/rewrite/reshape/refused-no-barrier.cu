// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  __shared__ float part[20];
  part[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = part[19 - threadIdx.x];
}

int main() { k<<<9, 20>>>(nullptr); }
// CHECK: :3: reshape refused: k shares part among 20 threads without __syncthreads() [no-barrier]
