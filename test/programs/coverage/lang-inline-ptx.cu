// SPDX-License-Identifier: Apache-2.0
// COVERS: inline PTX
// Inline PTX as people use it: lane ids, carries, three-input logic, fields, predicates, loads,
// fma.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct U128 {
  uint32_t w[4];
};

__device__ __forceinline__ unsigned laneId() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__device__ __forceinline__ unsigned lanemaskLess() {
  unsigned r;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
__device__ U128 add(U128 a, U128 b) {
  U128 r;
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;"
      : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3])
      : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
        "r"(b.w[3]));
  return r;
}
__device__ uint32_t bits(uint32_t v, unsigned at, unsigned n) {
  uint32_t r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(at), "r"(n));
  return r;
}
__device__ uint32_t majority(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t r;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ int clampByPredicate(int v, int most) {
  asm("{\n\t"
      ".reg .pred p;\n\t"
      "setp.gt.s32 p, %0, %1;\n\t"
      "@p mov.s32 %0, %1;\n\t"
      "}"
      : "+r"(v)
      : "r"(most));
  return v;
}
__device__ float fetch(const float* p) {
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
__device__ uint64_t wide(uint32_t a, uint32_t b, uint64_t c) {
  uint64_t r;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
  return r;
}

__global__ void run(const float* in, uint64_t* out, U128* sums) {
  unsigned t = threadIdx.x;
  U128 a = {{0xffffffffu - t, 0xffffffffu, t, 1}}, b = {{t + (t & 1), 0, 0xfffffff0u, 2}};
  sums[t] = add(a, b);
  uint64_t h = laneId() * 1000000ull + lanemaskLess() % 997;
  h = h * 31 + bits(0xdeadbeefu, t % 32, 5);
  h = h * 31 + majority(t, t * 3, t * 7);
  h = h * 31 + (uint32_t)clampByPredicate((int)t * 3 - 20, 50);
  h = wide((uint32_t)h, t + 1, h);
  float f = fetch(in + t), g;
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(g) : "f"(f), "f"(0.5f));
  out[t] = h + (uint64_t)(g * 2);
}

static uint64_t reference(unsigned t, float f) {
  uint64_t h = t % 32 * 1000000ull + ((1u << t % 32) - 1) % 997;
  h = h * 31 + (0xdeadbeefu >> t % 32 & 31);
  uint32_t a = t, b = t * 3, c = t * 7;
  h = h * 31 + ((a & b) | (a & c) | (b & c));
  int v = (int)t * 3 - 20;
  h = h * 31 + (uint32_t)(v > 50 ? 50 : v);
  h = (uint64_t)(uint32_t)h * (t + 1) + h;
  return h + (uint64_t)((f * f + 0.5f) * 2);
}

int main() {
  const int n = 64;
  float* in;
  uint64_t* out;
  U128* sums;
  if (cudaMalloc(&in, n * 4) || cudaMallocManaged(&out, n * 8) ||
      cudaMallocManaged(&sums, n * sizeof(U128)))
    return puts("FAIL"), 1;
  float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 9);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  run<<<1, n>>>(in, out, sums);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (unsigned t = 0; t < n; ++t) {
    uint64_t low = (0xffffffffull << 32 | (0xffffffffu - t)) + (t + (t & 1)),
             carry = low < (t + (t & 1));
    uint64_t high = (1ull << 32 | t) + (2ull << 32 | 0xfffffff0u) + carry;
    const uint32_t* w = sums[t].w;
    bool same = (w[0] | (uint64_t)w[1] << 32) == low && (w[2] | (uint64_t)w[3] << 32) == high;
    if ((out[t] != reference(t, host[t]) || !same) && bad++ < 5)
      printf("thread %u: %llu, expected %llu%s\n", t, (unsigned long long)out[t],
             (unsigned long long)reference(t, host[t]), same ? "" : ", sum differs");
  }
  cudaFree(in), cudaFree(out), cudaFree(sums);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
