// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: 1D point, textures: 1D linear, textures: clamp
// A lookup table in a one-dimensional array, read at its points and between them.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define N 64
#define SAMPLES 512

static void check(cudaError_t e, int line) {
  if (e) {
    printf("line %d: %s\nFAIL\n", line, cudaGetErrorString(e));
    exit(1);
  }
}
#define CHECK(x) check(x, __LINE__)

__global__ void sample(cudaTextureObject_t point, cudaTextureObject_t linear, float* p, float* l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = -2.0f + i * 0.140625f; // 9/64: never half way, and exact in eight bits
  p[i] = tex1D<float>(point, x);
  l[i] = tex1D<float>(linear, x);
}

int main() {
  float table[N], p[SAMPLES], l[SAMPLES];
  for (int i = 0; i < N; ++i)
    table[i] = (float)(i * i % 50);
  cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &channel, N));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, table, sizeof table, sizeof table, 1,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.addressMode[0] = cudaAddressModeClamp;
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t point, linear;
  CHECK(cudaCreateTextureObject(&point, &res, &desc, nullptr));
  desc.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&linear, &res, &desc, nullptr));
  float *dp, *dl;
  CHECK(cudaMalloc(&dp, sizeof p));
  CHECK(cudaMalloc(&dl, sizeof l));
  sample<<<SAMPLES / 128, 128>>>(point, linear, dp, dl);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(p, dp, sizeof p, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost));
  int bad = 0;
  auto at = [&](int i) { return table[i < 0 ? 0 : i >= N ? N - 1 : i]; };
  for (int i = 0; i < SAMPLES; ++i) {
    float x = -2.0f + i * 0.140625f, b = x - 0.5f, a = b - floorf(b);
    float wantPoint = at((int)floorf(x)),
          wantLinear = (1 - a) * at((int)floorf(b)) + a * at((int)floorf(b) + 1);
    if (p[i] != wantPoint || fabsf(l[i] - wantLinear) > 50.0f / 256)
      if (bad++ < 5)
        printf("at %g: %g (%g), between %g (%g)\n", x, p[i], wantPoint, l[i], wantLinear);
  }
  CHECK(cudaDestroyTextureObject(point));
  CHECK(cudaDestroyTextureObject(linear));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(dp));
  CHECK(cudaFree(dl));
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
