// SPDX-License-Identifier: Apache-2.0
// COVERS: curand device, curand: Philox
// Philox 4x32 with ten rounds, number by number against the algorithm on the host.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <curand_kernel.h>

static void philox(uint32_t c[4], uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = (uint64_t)0xD2511F53u * c[0], q = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t n[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q, (uint32_t)(p >> 32) ^ c[3] ^ k1,
                     (uint32_t)p};
    for (int i = 0; i < 4; ++i)
      c[i] = n[i];
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

__global__ void draw(unsigned long long seed, int perThread, unsigned* out, float4* uniform) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, id, 0, &state);
  for (int i = 0; i < perThread; ++i)
    out[id * perThread + i] = curand(&state);
  curandStatePhilox4_32_10_t again;
  curand_init(seed, id, 0, &again);
  uniform[id] = curand_uniform4(&again);
}

int main(int argc, char** argv) {
  const int threads = 256, per = 10;
  unsigned long long seed = argc > 1 ? strtoull(argv[1], nullptr, 10) : 987654321987ULL;
  unsigned* out;
  float4* uniform;
  if (cudaMallocManaged(&out, threads * per * sizeof(unsigned)) ||
      cudaMallocManaged(&uniform, threads * sizeof(float4)))
    return puts("FAIL"), 1;
  draw<<<4, threads / 4>>>(seed, per, out, uniform);
  if (cudaError_t e = cudaDeviceSynchronize())
    return printf("%s\nFAIL\n", cudaGetErrorString(e)), 1;
  int bad = 0;
  for (int id = 0; id < threads; ++id)
    for (int i = 0; i < per; ++i) {
      uint32_t c[4] = {(uint32_t)(i / 4), 0, (uint32_t)id, 0};
      philox(c, (uint32_t)seed, (uint32_t)(seed >> 32));
      if (out[id * per + i] != c[i % 4] && bad++ < 5)
        printf("thread %d number %d: %08x, expected %08x\n", id, i, out[id * per + i], c[i % 4]);
      if (i == 0) {
        float want = (float)c[0] * 2.3283064e-10f + 2.3283064e-10f / 2, got = uniform[id].x;
        bad += got - want > 1e-6f || want - got > 1e-6f;
      }
    }
  cudaFree(out);
  cudaFree(uniform);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
