// SPDX-License-Identifier: Apache-2.0
// FLAGS: -lcurand
// STOPS: curandGetDirectionVectors32: the program reads dimension 1112 or a later one
// A table of the library of which Heddle holds the first entries: what follows is not other numbers
// but a message.
#include <cstdio>

#include <curand.h>

int main() {
  curandDirectionVectors32_t* vectors;
  curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6); // HERE
  unsigned sum = 0;
  for (int dimension = 0; dimension < 2000; ++dimension)
    sum ^= vectors[dimension][20];
  printf("%u\n", sum);
  return 0;
}
