// SPDX-License-Identifier: Apache-2.0
// COVERS: bfloat16, bfloat16: conversions
// Every bfloat16 to float, and floats to bfloat16 rounded to nearest even, by bits on the CPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>

#define CUDA_CALL(x)                                                                               \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("Error at %s:%d\nFAIL\n", __FILE__, __LINE__);                                        \
      return EXIT_FAILURE;                                                                         \
    }                                                                                              \
  } while (0)

__global__ void toFloat(float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
}

__global__ void fromFloat(const float* in, unsigned short* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __nv_bfloat16 rounded = __float2bfloat16(in[i]);
    __nv_bfloat162 both = __floats2bfloat162_rn(in[i], -in[i]);
    out[3 * i] = __bfloat16_as_ushort(rounded);
    out[3 * i + 1] = __bfloat16_as_ushort(__high2bfloat16(both));
    out[3 * i + 2] = __bfloat16_as_ushort(__float2bfloat16_rz(in[i]));
  }
}

static unsigned short nearestEven(float x) {
  unsigned u;
  memcpy(&u, &x, 4);
  return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000, bad = 0;
  std::vector<float> all(65536), in(n);
  float *dall, *din;
  unsigned short* dout;
  CUDA_CALL(cudaMalloc(&dall, all.size() * 4));
  CUDA_CALL(cudaMalloc(&din, n * 4));
  CUDA_CALL(cudaMalloc(&dout, n * 6));
  toFloat<<<65536 / 256, 256>>>(dall);
  CUDA_CALL(cudaMemcpy(all.data(), dall, all.size() * 4, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 65536; ++i) {
    unsigned want = i << 16, got;
    memcpy(&got, &all[i], 4);
    bool nan = (i & 0x7fff) > 0x7f80;
    if ((nan ? !std::isnan(all[i]) : got != want) && bad++ < 5)
      printf("bfloat16 %04x is %08x, expected %08x\n", i, got, want);
  }
  unsigned seed = 1;
  for (int i = 0; i < n; ++i) {
    seed = seed * 22695477u + 1;
    unsigned u = seed ^ seed << 13;
    if (i % 5 == 0)
      u = (u & 0xffff0000u) | 0x8000u; // halfway
    if ((u & 0x7f800000u) == 0x7f800000u)
      u &= 0xbfffffffu;
    memcpy(&in[i], &u, 4);
  }
  CUDA_CALL(cudaMemcpy(din, in.data(), n * 4, cudaMemcpyHostToDevice));
  fromFloat<<<(n + 127) / 128, 128>>>(din, dout, n);
  CUDA_CALL(cudaGetLastError());
  std::vector<unsigned short> out(3 * n);
  CUDA_CALL(cudaMemcpy(out.data(), dout, n * 6, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    unsigned u;
    memcpy(&u, &in[i], 4);
    bool same = out[3 * i] == nearestEven(in[i]) && out[3 * i + 1] == nearestEven(-in[i]) &&
                out[3 * i + 2] == u >> 16;
    if (!same && bad++ < 5)
      printf("%.9g is %04x, negated %04x, cut %04x\n", in[i], out[3 * i], out[3 * i + 1],
             out[3 * i + 2]);
  }
  cudaFree(dall), cudaFree(din), cudaFree(dout);
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? EXIT_FAILURE : 0;
}
