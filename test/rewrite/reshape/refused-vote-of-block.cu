// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(int* x) {
  x[blockIdx.x] = __syncthreads_count(x[threadIdx.x]);
}

int main() { k<<<9, 20>>>(nullptr); }
// CHECK: :3: reshape refused: line 4 calls __syncthreads_count, by which the block votes or counts [varying-barrier]
