// SPDX-License-Identifier: Apache-2.0
// REFUSED: curand_poisson of a Sobol state is not supported yet
// COVERS: curand: Poisson numbers of Sobol
// FLAGS: -lcurand
// Poisson numbers of a Sobol state: their mean.
#include <cstdio>

#include <curand.h>
#include <curand_kernel.h>

__global__ void draw(curandDirectionVectors32_t* vectors, unsigned* sum) {
  curandStateSobol32_t state;
  curand_init(*vectors, 1 + threadIdx.x * 4, &state);
  for (int i = 0; i < 4; ++i)
    atomicAdd(sum, curand_poisson(&state, 4.0));
}

int main() {
  curandDirectionVectors32_t *vectors, *copy;
  unsigned *sum, got = 0;
  bool ok = curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == 0;
  cudaMalloc(&copy, sizeof *copy);
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  cudaMemcpy(copy, vectors[0], sizeof *copy, cudaMemcpyHostToDevice);
  draw<<<1, 256>>>(copy, sum);
  ok = ok && cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess;
  printf("mean %.4f\n", got / 1024.0);
  ok = ok && got > 4 * 1000 && got < 4 * 1048;
  cudaFree(copy), cudaFree(sum);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
