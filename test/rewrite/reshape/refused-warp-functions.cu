// RUN: %refused fix %s --only reshape --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(int* x) {
  x[blockIdx.x] = __shfl_down_sync(0xffff, x[threadIdx.x], 8, 16);
}

int main() { k<<<9, 16>>>(nullptr); }
// CHECK: :3: reshape refused: line 4 calls __shfl_down_sync, whose lanes would no longer meet [sync-op-inside]
