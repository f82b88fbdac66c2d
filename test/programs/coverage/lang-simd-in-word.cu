// SPDX-License-Identifier: Apache-2.0
// COVERS: SIMD in a word, __dp4a
// Four bytes or two halves in a word: sums, saturation, maxima, compares, averages, dot products.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define OPS 14

__global__ void compute(const uint32_t* v, int n, uint32_t* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t a = v[i], b = v[(i * 7 + 1) % n], *o = out + OPS * i;
  o[0] = __vadd4(a, b);
  o[1] = __vsub2(a, b);
  o[2] = __vaddus4(a, b);
  o[3] = __vsubss2(a, b);
  o[4] = __vmaxs4(a, b);
  o[5] = __vminu2(a, b);
  o[6] = __vabsdiffu4(a, b);
  o[7] = __vcmpgtu4(a, b);
  o[8] = __vavgu4(a, b);
  o[9] = __vsadu4(a, b);
  o[10] = (uint32_t)__dp4a((int)a, (int)b, -7);
  o[11] = __dp4a(a, b, 9u);
  o[12] = __vseteq4(a, b ^ 0x00ff00ffu);
  o[13] = __vabs2(a);
}

// Applies f to each part of the words.
template <int BITS, typename F> static uint32_t parts(uint32_t a, uint32_t b, F f) {
  uint32_t r = 0, mask = BITS == 8 ? 255u : 65535u;
  for (int s = 0; s < 32; s += BITS)
    r |= ((uint32_t)f((int)(a >> s & mask), (int)(b >> s & mask)) & mask) << s;
  return r;
}
static int s8(int v) {
  return (int8_t)v;
}
static int s16(int v) {
  return (int16_t)v;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 257;
  uint32_t *v, *out;
  if (cudaMallocManaged(&v, n * 4) || cudaMallocManaged(&out, n * OPS * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    v[i] = (uint32_t)i * 2654435761u ^ (uint32_t)i << 7;
  compute<<<(n + 127) / 128, 128>>>(v, n, out);
  int bad = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    uint32_t a = v[i], b = v[(i * 7 + 1) % n], sad = 0, udot = 9;
    int dot = -7;
    for (int s = 0; s < 32; s += 8) {
      int x = a >> s & 255, y = b >> s & 255;
      sad += (uint32_t)abs(x - y);
      dot += s8(x) * s8(y);
      udot += (uint32_t)(x * y);
    }
    uint32_t want[OPS] = {
        parts<8>(a, b, [](int x, int y) { return x + y; }),
        parts<16>(a, b, [](int x, int y) { return x - y; }),
        parts<8>(a, b, [](int x, int y) { return std::min(x + y, 255); }),
        parts<16>(a, b,
                  [](int x, int y) { return std::max(-32768, std::min(32767, s16(x) - s16(y))); }),
        parts<8>(a, b, [](int x, int y) { return std::max(s8(x), s8(y)); }),
        parts<16>(a, b, [](int x, int y) { return std::min(x, y); }),
        parts<8>(a, b, [](int x, int y) { return abs(x - y); }),
        parts<8>(a, b, [](int x, int y) { return x > y ? 255 : 0; }),
        parts<8>(a, b, [](int x, int y) { return (x + y + 1) / 2; }),
        sad,
        (uint32_t)dot,
        udot,
        parts<8>(a, b ^ 0x00ff00ffu, [](int x, int y) { return x == y ? 1 : 0; }),
        parts<16>(a, b, [](int x, int) { return abs(s16(x)); })};
    for (int k = 0; k < OPS; ++k)
      if (out[OPS * i + k] != want[k] && bad++ < 8)
        printf("operation %d of %08x and %08x: %08x, expected %08x\n", k, a, b, out[OPS * i + k],
               want[k]);
  }
  cudaFree(v);
  cudaFree(out);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
