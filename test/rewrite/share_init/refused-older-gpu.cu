// RUN: %refused fix %s --only share-init --line 4 --unproven --block 64 --device p100 > %t && FileCheck-19 %s < %t
#include <curand_kernel.h>

__global__ void k(curandState* states) {
  curand_init(1, threadIdx.x, 0, &states[threadIdx.x]);
}
// CHECK: :4: share-init refused: lanes of compute capability 6.0 cannot do that [older-gpu]
