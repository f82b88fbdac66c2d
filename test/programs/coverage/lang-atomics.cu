// SPDX-License-Identifier: Apache-2.0
// COVERS: atomics, atomics: scopes, __threadfence
// Every atomic function over one set of threads, in the scopes of block, device and system; the
// last block finds itself by a counter behind a fence.
#include <climits>
#include <cstdio>
#include <cstdlib>

struct Results {
  int add, sub, most, least, exchanged;
  unsigned inc, dec, conjunction, disjunction, parity, cas;
  unsigned long long wide, wideMax;
  float single;
  double twice;
  int systemAdd, last;
};

__device__ unsigned finished = 0;

__global__ void act(Results* r, const int* v, int n, int* blockSums) {
  __shared__ int block;
  if (threadIdx.x == 0)
    block = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = v[i];
    atomicAdd(&r->add, x);
    atomicSub(&r->sub, x);
    atomicMax(&r->most, x);
    atomicMin(&r->least, x);
    atomicExch(&r->exchanged, x);
    atomicInc(&r->inc, 99);
    atomicDec(&r->dec, 99);
    atomicAnd(&r->conjunction, ~(1u << i % 32));
    atomicOr(&r->disjunction, 1u << i % 20);
    atomicXor(&r->parity, (unsigned)x);
    unsigned old = r->cas, seen;
    do {
      seen = old;
      old = atomicCAS(&r->cas, seen, seen + 1);
    } while (old != seen);
    atomicAdd(&r->wide, (unsigned long long)i << 20);
    atomicMax(&r->wideMax, (unsigned long long)x << 33);
    atomicAdd(&r->single, 0.5f);
    atomicAdd(&r->twice, 0.25);
    atomicAdd_system(&r->systemAdd, 2);
    atomicAdd_block(&block, x);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    blockSums[blockIdx.x] = block;
    __threadfence();
    if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) {
      int sum = 0;
      for (unsigned b = 0; b < gridDim.x; ++b)
        sum += ((volatile int*)blockSums)[b];
      r->last = sum;
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, *v, *sums, sum = 0, most = INT_MIN, least = INT_MAX;
  unsigned parity = 0, inc = 0, dec = 0;
  Results* r;
  if (cudaMallocManaged(&v, n * 4) || cudaMallocManaged(&r, sizeof *r) ||
      cudaMallocManaged(&sums, (n + 127) / 128 * 4))
    return puts("FAIL"), 1;
  *r = Results{};
  r->most = INT_MIN;
  r->least = INT_MAX;
  r->conjunction = ~0u;
  for (int i = 0; i < n; ++i) {
    int x = v[i] = i * 31 % 499 + 1;
    sum += x;
    most = x > most ? x : most;
    least = x < least ? x : least;
    parity ^= (unsigned)x;
    inc = inc >= 99 ? 0 : inc + 1;
    dec = dec == 0 || dec > 99 ? 99 : dec - 1;
  }
  act<<<(n + 127) / 128, 128>>>(r, v, n, sums);
  cudaError_t e = cudaDeviceSynchronize();
  bool exchanged = false;
  for (int i = 0; i < n; ++i)
    exchanged |= v[i] == r->exchanged;
  bool ok = e == cudaSuccess && r->add == sum && r->sub == -sum && r->most == most &&
            r->least == least && exchanged && r->inc == inc && r->dec == dec &&
            r->conjunction == (n >= 32 ? 0 : ~0u << n) &&
            r->disjunction == (n >= 20 ? 0xfffffu : (1u << n) - 1) && r->parity == parity &&
            r->cas == (unsigned)n && r->wide == ((unsigned long long)n * (n - 1) / 2) << 20 &&
            r->wideMax == (unsigned long long)most << 33 && r->single == 0.5f * n &&
            r->twice == 0.25 * n && r->systemAdd == 2 * n && r->last == sum;
  printf("%s: sum %d, compare and swap %u, last %d\n", cudaGetErrorString(e), r->add, r->cas,
         r->last);
  cudaFree(v), cudaFree(r), cudaFree(sums);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
