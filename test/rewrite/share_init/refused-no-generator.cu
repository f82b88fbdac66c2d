// RUN: %refused fix %s --only share-init --line 4 --unproven > %t && FileCheck-19 %s < %t
#include <curand_kernel.h>

__global__ void k(curandState* states, curandStateMRG32k3a* others) {
  curand_init(threadIdx.x, 0, 0, &states[threadIdx.x]);
  curand_init(1, threadIdx.x, 0, &others[threadIdx.x]);
}
// CHECK: :4: share-init refused: k calls no curand_init of XORWOW whose sequence differs from thread to thread [no-generator]
