// RUN: %heddle fix %s --only share-init --line 15 --unproven > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only share-init --line 24 --unproven > %t && FileCheck-19 --check-prefix CALLED %s < %t
// RUN: %heddle fix %s --only share-init --line 32 --unproven > %t && FileCheck-19 --check-prefix TEMPLATE %s < %t
#include <curand_kernel.h>

__device__ int pixelOf(int width) {
  return (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ void begin(curandState_t* state, unsigned long long seed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, thread, thread & 7, state + thread);
}

__global__ void setup(curandState* states, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n)
    return;
  curandStatePhilox4_32_10_t other;
  curand_init(1, thread, 0, &other);
  curand_init(1, thread, 0, &states[thread]);
}

__global__ void called(curandState* states) {
  begin(states, 7);
  curandStateXORWOW_t own;
  curand_init(7, 3, 0, &own);
  states[0] = own;
}

template <class Real>
__global__ void sample(Real* out, int width) {
  curandState state;
  curand_init(clock64(), pixelOf(width), 0, &state);
  out[pixelOf(width)] = curand_uniform(&state);
}

void launch(float* out) { sample<<<dim3(4, 4), dim3(16, 16)>>>(out, 64); }

// CHECK:       #include <curand_kernel.h>
// CHECK-NEXT:  +#include <heddle/random.cuh>
// CHECK-NOT:   {{^[-+] }}
// CHECK:       {{^ +}}curand_init(1, thread, 0, &other);
// CHECK-NEXT:  - {{ *}}curand_init(1, thread, 0, &states[thread]);
// CHECK-NEXT:  + {{ *}}heddle::curand_init(1, thread, 0, &states[thread]);
// CHECK-NOT:   {{^[-+] }}
// CALLED:      +  heddle::curand_init(seed, thread, thread & 7, state + thread);
// CALLED-NOT:  {{^[-+] }}
// TEMPLATE:    +  heddle::curand_init(clock64(), pixelOf(width), 0, &state);
