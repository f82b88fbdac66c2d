// SPDX-License-Identifier: Apache-2.0
// COVERS: bit intrinsics, bit casts, integer intrinsics
// Counts, scans and reversals of bits, funnel shifts, high products, __byte_perm and bit casts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define OPS 16

__global__ void compute(const uint32_t* in, int n, long long* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t x = in[i], y = in[(i + 1) % n];
  unsigned long long xl = (unsigned long long)x << 32 | y;
  long long* o = out + OPS * i;
  o[0] = __popc(x);
  o[1] = __popcll(xl);
  o[2] = __clz((int)x);
  o[3] = __clzll((long long)xl);
  o[4] = __ffs((int)x);
  o[5] = __ffsll((long long)(xl & ~0xffffull));
  o[6] = __brev(x);
  o[7] = (long long)__brevll(xl);
  o[8] = __byte_perm(x, y, 0x5162);
  o[9] = __funnelshift_l(x, y, x & 31);
  o[10] = __umulhi(x, y);
  o[11] = __mulhi((int)x, (int)y);
  o[12] = __mul24((int)(x & 0x7fffff), (int)(y & 0x1ff));
  o[13] = __float_as_int(__int_as_float((int)(x & 0x3fffffff))) +
          (long long)__float_as_uint((float)(y >> 10));
  o[14] = __double_as_longlong(__hiloint2double((int)(x & 0x3fffffff), (int)y));
  o[15] = __sad((int)(x >> 4), (int)(y >> 4), 5) + __uhadd(x, y) +
          __rhadd((int)(x >> 2), (int)(y >> 2));
}

static int popcount(uint64_t v) {
  int c = 0;
  for (; v; v &= v - 1)
    ++c;
  return c;
}
static int leading(uint64_t v, int width) {
  int c = 0;
  while (c < width && !(v >> (width - 1 - c) & 1))
    ++c;
  return c;
}
static int first(uint64_t v) {
  for (int i = 0; i < 64; ++i)
    if (v >> i & 1)
      return i + 1;
  return 0;
}
static uint64_t reversed(uint64_t v, int width) {
  uint64_t r = 0;
  for (int i = 0; i < width; ++i)
    r |= (v >> i & 1) << (width - 1 - i);
  return r;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300;
  uint32_t* in;
  long long* out;
  if (cudaMallocManaged(&in, n * 4) || cudaMallocManaged(&out, n * OPS * 8))
    return puts("FAIL"), 1;
  uint32_t seed = 1;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = i<2 ? 0 : i<4 ? ~0u : seed>>(i % 5 * 6);
  }
  compute<<<(n + 63) / 64, 64>>>(in, n, out);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    uint32_t x = in[i], y = in[(i + 1) % n], bytes = 0;
    uint64_t xl = (uint64_t)x << 32 | y, yx = (uint64_t)y << 32 | x;
    const int selector[4] = {2, 6, 1, 5};
    for (int k = 0; k < 4; ++k)
      bytes |= (uint32_t)(yx >> (8 * selector[k]) & 255) << (8 * k);
    float f = (float)(y >> 10);
    uint32_t fbits;
    memcpy(&fbits, &f, 4);
    uint32_t a = x >> 4, b = y >> 4;
    uint32_t shift = x & 31;
    long long want[OPS] = {
        popcount(x),
        popcount(xl),
        leading(x, 32),
        leading(xl, 64),
        first(x),
        first(xl & ~0xffffull),
        (long long)reversed(x, 32),
        (long long)reversed(xl, 64),
        bytes,
        (long long)(shift ? (y << shift | x >> (32 - shift)) : y),
        (long long)((uint64_t)x * y >> 32),
        ((long long)(int)x * (int)y) >> 32,
        (int)((x & 0x7fffff) * (y & 0x1ff)),
        (long long)(int)(x & 0x3fffffff) + fbits,
        (long long)((uint64_t)(x & 0x3fffffff) << 32 | y),
        (long long)(uint32_t)((a > b ? a - b : b - a) + 5 + (uint32_t)(((uint64_t)x + y) >> 1) +
                              (uint32_t)(((int64_t)(int)(x >> 2) + (int)(y >> 2) + 1) >> 1))};
    for (int k = 0; k < OPS; ++k)
      if (out[OPS * i + k] != want[k] && bad++ < 8)
        printf("operation %d of %08x and %08x: %llx, expected %llx\n", k, x, y, out[OPS * i + k],
               want[k]);
  }
  cudaFree(in);
  cudaFree(out);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
