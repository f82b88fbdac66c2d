// SPDX-License-Identifier: Apache-2.0
// COVERS: fp8, fp8: conversions
// All 256 numbers of e4m3 and e5m2 to float and half, and floats to both, saturating, against the
// CPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_fp8.h>

#define CK(e)                                                                                      \
  do {                                                                                             \
    cudaError_t s = (e);                                                                           \
    if (s) {                                                                                       \
      printf("%d: %s\nFAIL\n", __LINE__, cudaGetErrorString(s));                                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// A small float format: its number of mantissa bits, its bias, its largest finite code.
struct Format {
  int mantissa, bias, largest;
  double value(int code) const {
    int c = code & 127, e = c >> mantissa, m = c & ((1 << mantissa) - 1);
    if (c > largest)
      return mantissa == 2 && c == largest + 1 ? (code & 128 ? -INFINITY : INFINITY) : NAN;
    double v = e ? ldexp((1 << mantissa) + m, e - bias - mantissa) : ldexp(m, 1 - bias - mantissa);
    return code & 128 ? -v : v;
  }
  int encode(float x) const { // to nearest even, saturated to the largest finite number
    int sign = std::signbit(x) ? 128 : 0;
    double m = fabs((double)x);
    if (m >= value(largest))
      return sign | largest;
    int low = 0;
    while (value(low + 1) <= m)
      ++low;
    double below = m - value(low), above = value(low + 1) - m;
    return sign | (low + (below > above || (below == above && (low & 1))));
  }
};
static const Format e4m3 = {3, 7, 0x7e}, e5m2 = {2, 15, 0x7b};

__global__ void decode(float* f4, float* f5, float* h4) {
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = (__nv_fp8_storage_t)threadIdx.x;
  b.__x = (__nv_fp8_storage_t)threadIdx.x;
  f4[threadIdx.x] = float(a);
  f5[threadIdx.x] = float(b);
  h4[threadIdx.x] = __half2float(__half(__nv_cvt_fp8_to_halfraw(a.__x, __NV_E4M3)));
}

__global__ void encode(const float* in, int n, unsigned char* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[4 * i] = __nv_fp8_e4m3(in[i]).__x;
  out[4 * i + 1] = __nv_fp8_e5m2(in[i]).__x;
  out[4 * i + 2] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
  __nv_fp8x4_e4m3 four(make_float4(1.0f, in[i], 2.0f, -in[i]));
  out[4 * i + 3] = (unsigned char)(four.__x >> 8);
}

int main() {
  float *f4, *f5, *h4;
  CK(cudaMallocManaged(&f4, 1024));
  CK(cudaMallocManaged(&f5, 1024));
  CK(cudaMallocManaged(&h4, 1024));
  decode<<<1, 256>>>(f4, f5, h4);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  int errors = 0;
  auto same = [](double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; };
  for (int i = 0; i < 256; ++i)
    if (!same(f4[i], e4m3.value(i)) || !same(h4[i], e4m3.value(i)) || !same(f5[i], e5m2.value(i)))
      if (errors++ < 6)
        printf("code %02x: e4m3 %g (%g), e5m2 %g (%g)\n", i, f4[i], e4m3.value(i), f5[i],
               e5m2.value(i));
  std::vector<float> in;
  for (int i = 0; i < 127; ++i) {
    for (const Format* f : {&e4m3, &e5m2}) {
      double a = f->value(i), b = f->value(i + 1);
      if (!std::isfinite(a) || !std::isfinite(b))
        continue;
      in.push_back((float)a);
      in.push_back(-(float)(a + b) / 2);
      in.push_back(nextafterf((float)(a + b) / 2, 1e9f));
    }
  }
  for (float x : {449.0f, 464.0f, 500.0f, 1e6f, -1e9f, 60000.0f, 1e-9f})
    in.push_back(x);
  int n = (int)in.size();
  float* din;
  unsigned char* out;
  CK(cudaMallocManaged(&din, n * sizeof(float)));
  CK(cudaMallocManaged(&out, n * 4));
  for (int i = 0; i < n; ++i)
    din[i] = in[i];
  encode<<<(n + 127) / 128, 128>>>(din, n, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    int want4 = e4m3.encode(in[i]), want5 = e5m2.encode(in[i]);
    const unsigned char* o = out + 4 * i;
    if ((o[0] != want4 || o[2] != want4 || o[3] != want4 || o[1] != want5) && errors++ < 12)
      printf("%.9g: e4m3 %02x %02x %02x (%02x), e5m2 %02x (%02x)\n", in[i], o[0], o[2], o[3], want4,
             o[1], want5);
  }
  cudaFree(f4), cudaFree(f5), cudaFree(h4), cudaFree(din), cudaFree(out);
  puts(errors ? "FAIL" : "PASS");
  return errors != 0;
}
