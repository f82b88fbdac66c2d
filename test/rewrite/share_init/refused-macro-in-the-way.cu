// RUN: %refused fix %s --only share-init --line 6 --unproven > %t && FileCheck-19 %s < %t
#include <curand_kernel.h>

#define START(state, thread) curand_init(1, thread, 0, state)

__global__ void k(curandState* states) { START(&states[threadIdx.x], threadIdx.x); }
// CHECK: :6: share-init refused: curand_init in line 6 comes from a macro or from another file [macro-in-the-way]
