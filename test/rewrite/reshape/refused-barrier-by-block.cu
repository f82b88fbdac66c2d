// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(float* x) {
  __shared__ float part[20];
  part[threadIdx.x] = x[threadIdx.x];
  if (blockIdx.x < 3)
    __syncthreads();
  x[threadIdx.x] = part[19 - threadIdx.x];
}

int main() { k<<<9, 20>>>(nullptr); }
// CHECK: :3: reshape refused: line 7 has a barrier that blocks may reach more or less often than others [varying-barrier]
