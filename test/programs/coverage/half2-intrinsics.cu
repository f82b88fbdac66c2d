// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half2, half: arithmetic
// The vector forms of half: two numbers in a word, taken apart, put together, and computed on.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    printf("FAIL\n");
    exit(code);
  }
}

constexpr int N = 256;
enum { ADD, SUB, MUL, FMA, NEG, ABS, MAX, MIN, DIV, LOWHIGH, SWAP, LOW2, HIGH2, SCALAR, OPS };

__global__ void vectors(const float2* a, const float2* b, __half2* out) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= N)
    return;
  __half2 x = __float22half2_rn(a[i]), y = __floats2half2_rn(b[i].x, b[i].y);
  __half2* o = out + i * OPS;
  o[ADD] = __hadd2(x, y);
  o[SUB] = __hsub2(x, y);
  o[MUL] = __hmul2(x, y);
  o[FMA] = __hfma2(x, y, __float2half2_rn(2.0f));
  o[NEG] = __hneg2(x);
  o[ABS] = __habs2(x);
  o[MAX] = __hmax2(x, y);
  o[MIN] = __hmin2(x, y);
  o[DIV] = __h2div(x, y);
  o[LOWHIGH] = __halves2half2(__low2half(x), __high2half(y));
  o[SWAP] = __lowhigh2highlow(x);
  o[LOW2] = __low2half2(x);
  o[HIGH2] = __high2half2(x);
  o[SCALAR] = __half2half2(__float2half(__low2float(x) + __high2float(x)));
}

__global__ void operators(const float2* a, __half2* out) {
  int i = threadIdx.x;
  half2 x = __float22half2_rn(a[i]), two = make_half2(__float2half(2.0f), __float2half(4.0f));
  half2 y = x * two + x;
  y -= x;
  y.x = __hadd(y.x, x.y);
  out[i] = -y;
}

int main() {
  float2 ha[N], hb[N];
  // Small quarters: every result but the quotient is exact.
  for (int i = 0; i < N; ++i) {
    ha[i] = make_float2((i % 31 - 15) * 0.25f, (i % 17 - 8) * 0.5f);
    hb[i] = make_float2((i % 13 + 1) * 0.5f, (i % 7 - 9) * 0.25f);
  }
  float2 *a, *b;
  __half2 *out, *out2;
  gpuErrchk(cudaMalloc((void**)&a, sizeof ha));
  gpuErrchk(cudaMalloc((void**)&b, sizeof hb));
  gpuErrchk(cudaMalloc((void**)&out, N * OPS * sizeof(__half2)));
  gpuErrchk(cudaMalloc((void**)&out2, N * sizeof(__half2)));
  gpuErrchk(cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice));
  vectors<<<N / 64, 64>>>(a, b, out);
  gpuErrchk(cudaPeekAtLastError());
  operators<<<1, N>>>(a, out2);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaDeviceSynchronize());
  static __half2 h[N * OPS], h2[N];
  gpuErrchk(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMemcpy(h2, out2, sizeof h2, cudaMemcpyDeviceToHost));
  int bad = 0;
  auto expect = [&](int i, const char* what, __half2 got, float x, float y, float tolerance = 0) {
    float2 g = __half22float2(got);
    if (fabsf(g.x - x) > tolerance * fabsf(x) || fabsf(g.y - y) > tolerance * fabsf(y)) {
      if (bad++ < 8)
        printf("%s[%d] = (%g, %g), expected (%g, %g)\n", what, i, g.x, g.y, x, y);
    }
  };
  for (int i = 0; i < N; ++i) {
    const __half2* o = h + i * OPS;
    float2 x = ha[i], y = hb[i];
    expect(i, "add", o[ADD], x.x + y.x, x.y + y.y);
    expect(i, "sub", o[SUB], x.x - y.x, x.y - y.y);
    expect(i, "mul", o[MUL], x.x * y.x, x.y * y.y);
    expect(i, "fma", o[FMA], x.x * y.x + 2, x.y * y.y + 2);
    expect(i, "neg", o[NEG], -x.x, -x.y);
    expect(i, "abs", o[ABS], fabsf(x.x), fabsf(x.y));
    expect(i, "max", o[MAX], fmaxf(x.x, y.x), fmaxf(x.y, y.y));
    expect(i, "min", o[MIN], fminf(x.x, y.x), fminf(x.y, y.y));
    expect(i, "div", o[DIV], x.x / y.x, x.y / y.y, 1e-3f);
    expect(i, "halves", o[LOWHIGH], x.x, y.y);
    expect(i, "swap", o[SWAP], x.y, x.x);
    expect(i, "low", o[LOW2], x.x, x.x);
    expect(i, "high", o[HIGH2], x.y, x.y);
    expect(i, "scalar", o[SCALAR], x.x + x.y, x.x + x.y);
    expect(i, "operators", h2[i], -(2 * x.x + x.y), -4 * x.y);
  }
  cudaFree(a), cudaFree(b), cudaFree(out), cudaFree(out2);
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
