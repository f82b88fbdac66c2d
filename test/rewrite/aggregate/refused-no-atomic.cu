// RUN: %refused fix %s --only aggregate --line 3 --unproven > %t && FileCheck-19 %s < %t

__global__ void k(int* list, int n) {
  __shared__ int own;
  if (threadIdx.x < n)
    list[atomicAdd(&list[0], 2)] = atomicExch(&list[1], 1);
  atomicAdd(&own, 1);
}
// CHECK: :3: aggregate refused: k has no atomic on the device's memory alone [no-atomic]
