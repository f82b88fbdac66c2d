// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 18 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// A template's loop in a function, with a pointer as its counter; both instances get the same text.
#include "../results.cuh"

__device__ unsigned words[512];
__device__ float reals[512];

template <class T> __device__ T largestOf(const T* begin, int length, T least) {
  const T* end = begin + length;
  T best = least;
  const T* p;
  if (length < 0)
    return best;
  for (p = begin; p != end; ++p)
    if (*p > best)
      best = *p;
  return best;
}

__global__ void maxima(unsigned* out) {
  const int t = int(threadIdx.x);
  for (int k = t; k < 512; k += 64) {
    words[k] = unsigned(k) * 2654435761u >> 9;
    reals[k] = float(words[k]) * 0.25f;
  }
  __syncthreads();
  out[t] = largestOf(words + t * 3, t % 13, 4u) + unsigned(largestOf(reals + t, t % 17 - 1, 2.0f));
}

int main() { printResults(maxima); }

// CHECK:       heddle::share_rows<8>(begin, end, heddle::largest(best),
// CHECK-SAME: [&](const T* p, T& best) {
// CHECK-NEXT:    if (*p > best)
// CHECK-NEXT:      best = *p;
// CHECK-NEXT:  });
