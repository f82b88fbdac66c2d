// RUN: %heddle fix %s --only share-init --line 8 --unproven > %t && FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// A file that begins with a mark of its byte order keeps it in front.

struct curandStateXORWOW;
__device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStateXORWOW*);
__global__ void k(curandStateXORWOW* state) { curand_init(1, threadIdx.x, 0, state); }

// What stands here keeps the checks out
// of the lines that a diff shows.


// CHECK:      {{^}} // A file
// CHECK:      {{^[+]}}#include <heddle/random.cuh>
