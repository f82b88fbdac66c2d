// RUN: %refused fix %s --only aggregate --line 8 --unproven > %t && FileCheck-19 %s < %t
// RUN: %refused fix %s --only aggregate --line 13 --unproven > %t && FileCheck-19 --check-prefix VOLATILE %s < %t

__device__ void publish(int* data, int* ready) {
  data[threadIdx.x] = 1;
  __threadfence();
}
__global__ void k(int* data, int* ready) {
  publish(data, ready);
  atomicAdd(ready, 1);
}

__global__ void polls(volatile int* ready, int* count) {
  atomicAdd(count, 1);
  while (ready[0] == 0)
    ;
}
// CHECK:    :8: aggregate refused: line 6 has __threadfence [orders-memory]
// VOLATILE: :13: aggregate refused: line 15 has volatile memory [orders-memory]
