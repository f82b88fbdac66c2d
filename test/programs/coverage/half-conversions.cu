// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: conversions, bit casts
// Every half to float, and floats between and at all halves back to half in the four rounding
// modes, against routines on the CPU that know the format bit by bit.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_fp16.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t e = (call);                                                                        \
    if (e != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                   \
      printf("FAIL\n");                                                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

enum Mode { NEAREST, ZERO, DOWN, UP };

static double valueOf(unsigned short bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0    ? ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                  : ldexp(1024 + mantissa, exponent - 25);
  return bits >> 15 ? -value : value;
}

// Magnitudes of finite halves are ordered as their bits are: search, then choose by the mode.
static unsigned short roundTo(float x, Mode mode) {
  unsigned short sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x))
    return 0x7fff;
  double m = fabs((double)x);
  if (std::isinf(x))
    return sign | 0x7c00;
  unsigned short low = 0, high = 0x7bff;
  while (low < high) {
    unsigned short mid = (low + high + 1) / 2;
    if (valueOf(mid) <= m)
      low = mid;
    else
      high = mid - 1;
  }
  double below = valueOf(low), above = low == 0x7bff ? 65536.0 : valueOf(low + 1);
  bool up = false;
  if (m != below)
    switch (mode) {
    case NEAREST:
      up = m - below > above - m || (m - below == above - m && (low & 1));
      break;
    case ZERO:
      break;
    case DOWN:
      up = sign != 0;
      break;
    case UP:
      up = sign == 0;
      break;
    }
  return sign | (unsigned short)(low + up);
}

__global__ void widen(float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 65536)
    out[i] = __half2float(__ushort_as_half((unsigned short)i));
}

__global__ void narrow(const float* in, int n, unsigned short* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[4 * i + NEAREST] = __half_as_ushort(__float2half(in[i]));
  out[4 * i + ZERO] = __half_as_ushort(__float2half_rz(in[i]));
  out[4 * i + DOWN] = __half_as_ushort(__float2half_rd(in[i]));
  out[4 * i + UP] = __half_as_ushort(__float2half_ru(in[i]));
}

int main() {
  int errors = 0;
  float* wide;
  CUDA_CHECK(cudaMalloc(&wide, 65536 * sizeof(float)));
  widen<<<256, 256>>>(wide);
  CUDA_CHECK(cudaGetLastError());
  std::vector<float> got(65536);
  CUDA_CHECK(cudaMemcpy(got.data(), wide, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  std::vector<float> inputs = {0.0f,       -0.0f,    INFINITY, -INFINITY, NAN,
                               65519.996f, 65520.0f, -1e30f,   1e-30f};
  for (int i = 0; i < 65536; ++i) {
    double want = valueOf((unsigned short)i);
    if (std::isnan(want) ? !std::isnan(got[i])
                         : got[i] != want || std::signbit(got[i]) != (i >= 32768)) {
      if (errors++ < 5)
        printf("half %04x is %g, expected %g\n", i, got[i], want);
    }
    if (std::isfinite(want) && i % 4 == 0) {
      float next = (float)valueOf((unsigned short)(i + 1)), x = (float)want;
      inputs.push_back(x);
      inputs.push_back((x + next) / 2);
      inputs.push_back(nextafterf((x + next) / 2, next));
    }
  }
  int n = (int)inputs.size();
  float* in;
  unsigned short* out;
  CUDA_CHECK(cudaMalloc(&in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&out, n * 4 * sizeof(unsigned short)));
  CUDA_CHECK(cudaMemcpy(in, inputs.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  narrow<<<(n + 255) / 256, 256>>>(in, n, out);
  CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned short> halves(4 * n);
  CUDA_CHECK(cudaMemcpy(halves.data(), out, halves.size() * 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      unsigned short want = roundTo(inputs[i], (Mode)mode), is = halves[4 * i + mode];
      bool same = std::isnan(inputs[i]) ? (is & 0x7fff) > 0x7c00 : is == want;
      if (!same && errors++ < 5)
        printf("%.9g in mode %d is %04x, expected %04x\n", inputs[i], mode, is, want);
    }
  CUDA_CHECK(cudaFree(wide));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  printf(errors ? "FAIL\n" : "PASS\n");
  return errors != 0;
}
