// SPDX-License-Identifier: Apache-2.0
// COVERS: clock, globaltimer, nanosleep, __trap
// Clocks only go forward: clock, clock64, globaltimer around work and a sleep; __trap is not
// reached.
#include <cstdio>
#include <cstdlib>

__device__ unsigned long long globaltimer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void measure(int work, long long* out, int* result) {
  int t = threadIdx.x;
  long long start = clock64();
  clock_t small = clock();
  unsigned long long g0 = globaltimer();
  unsigned v = t + 1;
  for (int i = 0; i < work; ++i)
    v = v * 1664525u + 1013904223u;
  result[t] = (int)(v & 0x7fffffff);
  __nanosleep(100);
  unsigned long long g1 = globaltimer();
  clock_t end = clock();
  long long stop = clock64();
  __prof_trigger(0);
  if (stop < start || g1 < g0)
    __trap();
  out[3 * t] = stop - start;
  out[3 * t + 1] = (long long)(unsigned)((unsigned)end - (unsigned)small);
  out[3 * t + 2] = (long long)(g1 - g0);
}

int main(int argc, char** argv) {
  int work = argc > 1 ? atoi(argv[1]) : 200, n = 64;
  long long* out;
  int* result;
  if (cudaMallocManaged(&out, 3 * n * sizeof(long long)) ||
      cudaMallocManaged(&result, n * sizeof(int)))
    return puts("FAIL"), 1;
  measure<<<1, n>>>(work, out, result);
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess;
  for (int t = 0; t < n; ++t) {
    unsigned v = t + 1;
    for (int i = 0; i < work; ++i)
      v = v * 1664525u + 1013904223u;
    ok = ok && result[t] == (int)(v & 0x7fffffff) && out[3 * t] > 0 && out[3 * t + 1] > 0 &&
         out[3 * t + 2] >= 0;
  }
  fprintf(stderr, "%lld clocks, %lld ns\n", out[0], out[2]);
  cudaFree(out);
  cudaFree(result);
  printf("%s\n%s\n", cudaGetErrorString(e), ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
