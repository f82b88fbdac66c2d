// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 16 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 %s
// RUN: %heddle fix %s --only share-rows --form "8 lanes" --line 29 --unproven > %t
// RUN: %same_results %s %t
// RUN: grep -v CHECK %t.cu | FileCheck-19 --check-prefix REAL %s
// SPDX-License-Identifier: Apache-2.0
//
// Where a loop ends by the square of its counter, or at a root.
#include "../results.cuh"

__global__ void divisors(unsigned* out) {
  const int t = int(blockIdx.x * blockDim.x + threadIdx.x), number = t * 37 % 5003;
  unsigned isPrime = number > 1;
  // CHECK: heddle::share_rows<8>(2, heddle::square_above(number), heddle::own(number)
  for (int i = 2; i * i <= number; ++i)
    if (number % i == 0) {
      isPrime = 0;
      break;
    }
  out[t] = isPrime;
}

__global__ void roots(unsigned* out) {
  const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
  const float n = 31.5f * float(t % 61);
  unsigned sum = 0;
  // REAL: heddle::share_rows<8>(3, heddle::whole_from<int>(sqrtf(n)), heddle::sum(sum)
  for (int i = 3; i < sqrtf(n); i += 2)
    sum += unsigned(i * i);
  out[t] = sum;
}

int main() { printResults(divisors), printResults(roots); }
