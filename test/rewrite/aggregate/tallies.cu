// RUN: %heddle fix %s --only aggregate --line 8 --unproven > %t && FileCheck-19 %s < %t
//
// Every atomic on the device's memory whose result nobody uses, wherever it stands; those on shared
// memory and those whose result is a place stay.

template <class T>
__global__ void
tally(const int* kind, const T* mass, T* sums, unsigned* counts, int* heaviest, int* list, int n) {
  __shared__ unsigned own[4];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int k = kind[i];
    atomicAdd(&sums[k], mass[i]);
    if (mass[i] > T(2))
      atomicMax(heaviest, int(mass[i]));
    else
      atomicAdd(&own[k], 1u);
    switch (k) {
    case 0:
      atomicOr(&counts[2], 1u << (i & 31));
      break;
    default:
      ::atomicXor(counts + 1, 3u);
    }
    const int place = atomicAdd(&list[0], 1);
    list[1 + place] = i;
  }
}

void launch(const int* k, const float* f, float* s, unsigned* c, int* h) {
  tally<float><<<4, 64>>>(k, f, s, c, h, h, 100);
}

// CHECK:      +#include <heddle/aggregate.cuh>
// CHECK:      -    atomicAdd(&sums[k], mass[i]);
// CHECK-NEXT: +    heddle::aggregate_add(&sums[k], mass[i]);
// CHECK:      -      atomicMax(heaviest, int(mass[i]));
// CHECK-NEXT: +      heddle::aggregate_max(heaviest, int(mass[i]));
// CHECK:      {{^ +}}atomicAdd(&own[k], 1u);
// CHECK:      +      heddle::aggregate_or(&counts[2], 1u << (i & 31));
// CHECK:      +      heddle::aggregate_xor(counts + 1, 3u);
// CHECK-NOT:  {{^[-+] }}
