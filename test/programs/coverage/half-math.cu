// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: math, half2
// Mathematical functions of half and half2 against the double functions of the host.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

#define CHECK(call)                                                                                \
  if ((call) != cudaSuccess) {                                                                     \
    printf("error in line %d: %s\nFAIL\n", __LINE__, cudaGetErrorString(cudaGetLastError()));      \
    return 1;                                                                                      \
  }

#define FUNCTIONS(F)                                                                               \
  F(sqrt, sqrt(x))                                                                                 \
  F(rsqrt, 1 / sqrt(x))                                                                            \
  F(exp, exp(x))                                                                                   \
  F(exp2, exp2(x)) F(exp10, pow(10.0, x)) F(log, log(x)) F(log2, log2(x)) F(log10, log10(x))       \
      F(sin, sin(x)) F(cos, cos(x)) F(rcp, 1 / x) F(floor, floor(x)) F(ceil, ceil(x))              \
          F(trunc, trunc(x)) F(rint, nearbyint(x))

enum {
#define F(name, value) name##_,
  FUNCTIONS(F)
#undef F
      COUNT
};

__global__ void scalars(const __half* in, __half* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#define F(name, value) out[name##_ * n + i] = h##name(in[i]);
    FUNCTIONS(F)
#undef F
  }
}

__global__ void pairs(const __half2* in, __half2* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#define F(name, value) out[name##_ * n + i] = h2##name(in[i]);
    FUNCTIONS(F)
#undef F
  }
}

int main(int argc, char* argv[]) {
  int n = argc > 1 ? atoi(argv[1]) & ~1 : 1024;
  std::vector<__half> in(n), out(n * COUNT), out2(n * COUNT);
  for (int i = 0; i < n; ++i)
    in[i] = __float2half(0.02f + 4.0f * i / n);
  __half *di, *dout;
  CHECK(cudaMalloc(&di, n * sizeof(__half)));
  CHECK(cudaMalloc(&dout, n * COUNT * sizeof(__half)));
  CHECK(cudaMemcpy(di, in.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
  scalars<<<4, 128>>>(di, dout, n);
  CHECK(cudaMemcpy(out.data(), dout, out.size() * sizeof(__half), cudaMemcpyDeviceToHost));
  pairs<<<4, 64>>>((const __half2*)di, (__half2*)dout, n / 2);
  CHECK(cudaMemcpy(out2.data(), dout, out.size() * sizeof(__half), cudaMemcpyDeviceToHost));
  int errors = 0;
  auto expect = [&](const char* name, double x, __half a, __half b, double want) {
    // A unit of half is 2^-11 of the value at most; near zero an absolute one.
    double limit = 2.0 / 1024 * fabs(want) + 1.0 / 262144;
    if (fabs(__half2float(a) - want) > limit || fabs(__half2float(b) - want) > limit)
      if (errors++ < 8)
        printf("%s(%g) = %g, as a pair %g, expected %g\n", name, x, __half2float(a),
               __half2float(b), want);
  };
  for (int i = 0; i < n; ++i) {
    double x = __half2float(in[i]);
#define F(name, value) expect("h" #name, x, out[name##_ * n + i], out2[name##_ * n + i], value);
    FUNCTIONS(F)
#undef F
  }
  cudaFree(di);
  cudaFree(dout);
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors != 0;
}
