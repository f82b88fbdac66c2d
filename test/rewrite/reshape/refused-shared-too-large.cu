// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  __shared__ float part[4800];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = part[47 - threadIdx.x];
}

int main() { k<<<9, 48>>>(nullptr); }
// CHECK: :3: reshape refused: 19200 bytes of a block fit into no more blocks [shared-unfit]
