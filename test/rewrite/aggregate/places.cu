// RUN: %heddle fix %s --only aggregate --line 7 --unproven > %t && FileCheck-19 %s < %t
// RUN: %heddle fix %s --only aggregate --line 14 --unproven --form "by warp (and places)" > %t && FileCheck-19 --check-prefix BOTH %s < %t
// RUN: not %heddle fix %s --only aggregate --line 14 --unproven --form none 2> %t && FileCheck-19 --check-prefix FORMS %s < %t
// RUN: %refused fix %s --only aggregate --line 26 --unproven > %t && FileCheck-19 --check-prefix NONE %s < %t

__global__ void keep(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0)
    out[atomicAdd(count, 1)] = in[i];
}

template <class T>
__global__ void split(const T* in, T* out, unsigned* cursor, T* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned place = atomicAdd(&cursor[int(in[i]) & 7], 1u);
  out[place] = in[i];
  atomicAdd(sum, in[i]);
  out[n] = atomicAdd(sum + 1, T(1));
}

void launch(const float* f, float* s, unsigned* c) { split<float><<<4, 64>>>(f, s, c, s, 100); }

__global__ void others(int* list, float* x, int n) {
  __shared__ int own;
  list[atomicAdd(&own, 1)] = atomicAdd(&list[0], 2) + atomicAdd(&list[1], n) + int(atomicAdd(x, 1.0f)) + atomicSub(&list[2], 1);
}

// CHECK:     +#include <heddle/aggregate.cuh>
// CHECK:     -    out[atomicAdd(count, 1)] = in[i];
// CHECK:     +    out[heddle::aggregate_next(count)] = in[i];
// BOTH:      +  const unsigned place = heddle::aggregate_next(&cursor[int(in[i]) & 7]);
// BOTH:      +  heddle::aggregate_add(sum, in[i]);
// BOTH:      {{^ +}}out[n] = atomicAdd(sum + 1, T(1));
// FORMS:     there are: by warp, by warp (and places){{$}}
// NONE:      :26: aggregate refused: others has no atomic on the device's memory alone [no-atomic]
