// SPDX-License-Identifier: Apache-2.0
// COVERS: bfloat16, bfloat16: arithmetic, bfloat16: math
// Arithmetic, comparisons and functions of bfloat16 and its pair.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>

typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf162;

#define N 512
#define TRY(call)                                                                                  \
  do {                                                                                             \
    cudaError_t r = (call);                                                                        \
    if (r != cudaSuccess) {                                                                        \
      printf("%s -> %s\nFAIL\n", #call, cudaGetErrorString(r));                                    \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void compute(const float* a, const float* b, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bf16 x = __float2bfloat16(a[i]), y = __float2bfloat16(b[i]);
  bf162 xy = __halves2bfloat162(x, y), two = __float2bfloat162_rn(2.0f);
  float* o = out + 16 * i;
  o[0] = __bfloat162float(x + y);
  o[1] = __bfloat162float(__hsub(x, y));
  o[2] = __bfloat162float(__hmul(x, y));
  o[3] = __bfloat162float(__hfma(x, y, x));
  o[4] = __bfloat162float(x / y);
  o[5] = __bfloat162float(__hmax(x, y));
  o[6] = __hlt(x, y) ? 1.0f : 0.0f;
  o[7] = __low2float(__hadd2(xy, two));
  o[8] = __high2float(__hfma2(xy, two, xy));
  o[9] = __low2float(__hmax2(xy, __lowhigh2highlow(xy)));
  o[10] = __bfloat162float(hsqrt(__habs(x)));
  o[11] = __bfloat162float(hexp(x));
  o[12] = __bfloat162float(hlog(__habs(y)));
  o[13] = __bfloat162float(hrcp(y));
  o[14] = __high2float(h2exp2(xy));
  o[15] = __bfloat162float(hfloor(x));
}

int main() {
  static float a[N], b[N], out[16 * N];
  for (int i = 0; i < N; ++i) {
    a[i] = (float)(i % 33 - 16) / 8;     // few bits: sums and products are exact
    b[i] = (float)(i % 15 * 2 - 15) / 4; // never zero
  }
  float *da, *db, *dout;
  TRY(cudaMalloc(&da, sizeof a));
  TRY(cudaMalloc(&db, sizeof b));
  TRY(cudaMalloc(&dout, sizeof out));
  TRY(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
  compute<<<N / 128, 128>>>(da, db, dout);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  int errors = 0;
  for (int i = 0; i < N; ++i) {
    double x = a[i], y = b[i];
    double want[16] = {x + y,        x - y, x * y,   x * y + x,  x / y,         fmax(x, y),
                       x < y,        x + 2, 3 * y,   fmax(x, y), sqrt(fabs(x)), exp(x),
                       log(fabs(y)), 1 / y, exp2(y), floor(x)};
    for (int k = 0; k < 16; ++k) {
      bool exact = k < 10 && k != 4 && k != 3 && k != 2;
      double limit = exact ? 0 : fabs(want[k]) / 128 + 1e-6;
      if (!(fabs(out[16 * i + k] - want[k]) <= limit) && errors++ < 8)
        printf("operation %d of (%g, %g): %g, expected %g\n", k, x, y, out[16 * i + k], want[k]);
    }
  }
  cudaFree(da), cudaFree(db), cudaFree(dout);
  puts(errors ? "FAIL" : "PASS");
  return !!errors;
}
