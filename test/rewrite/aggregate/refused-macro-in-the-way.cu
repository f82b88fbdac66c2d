// RUN: %refused fix %s --only aggregate --line 5 --unproven > %t && FileCheck-19 %s < %t

#define COUNT(word) atomicAdd(&(word), 1)

__global__ void k(int* counts) {
  COUNT(counts[threadIdx.x & 3]);
}
// CHECK: :5: aggregate refused: the atomic in line 6 comes from a macro [macro-in-the-way]
