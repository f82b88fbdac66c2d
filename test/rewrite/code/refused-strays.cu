// RUN: %refused fix %s --only predicate > %t.refused
// RUN: FileCheck-19 %s < %t.refused
// RUN: not %heddle fix %s --only predicate -- null 2> %t.null
// RUN: FileCheck-19 %s --check-prefix=NULL < %t.null
// RUN: not %heddle fix %s --only predicate -- freed 2> %t.freed
// RUN: FileCheck-19 %s --check-prefix=FREED < %t.freed
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

__global__ void shift(float* out, int* sums, int turns) {
  const int i = int(threadIdx.x);
  float value = 0.5f;
  if (i % 2 == 0) {
    for (int turn = 0; turn < turns; ++turn)
      value = fmaf(value, 0.999f, 0.25f);
  } else {
    for (int turn = 0; turn < turns; ++turn)
      value = fabsf(value - 0.5f) * 0.9f;
  }
  out[i - 1] = value;
  atomicAdd(&sums[i / 8], 1);
}

int main(int argc, char** argv) {
  float* out = nullptr;
  int* sums = nullptr;
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMalloc(&sums, 31 * sizeof(int));
  if (argc > 1)
    cudaFree(out);
  cudaMemset(sums, 0, 31 * sizeof(int));
  const bool isNull = argc > 1 && std::strcmp(argv[1], "null") == 0;
  shift<<<1, 256>>>(isNull ? nullptr : out, sums, 500);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// CHECK: the program goes outside of its memory:
// CHECK-NEXT: refused-strays.cu:20: kernel 'shift' writes 1 element of 4 bytes before cudaMalloc #1 (1024
// CHECK-NEXT: bytes), once; first thread (0,0,0) of block (0,0,0)
// CHECK-NEXT: refused-strays.cu:21: kernel 'shift' changes 1 element of 4 bytes behind cudaMalloc #2 (124
// CHECK-NEXT: bytes), 8 times; first thread (248,0,0) of block (0,0,0)
// CHECK: refused-strays.cu:13  predicate  -  refuse [arms-differ]
// NULL: error: the program does not run to its end: {{.*}}refused-strays.cu:20: {{.*}}in no live memory
// FREED: error: the program does not run to its end: {{.*}}refused-strays.cu:20: {{.*}}which has been freed
