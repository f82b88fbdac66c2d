// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: 3D, cudaMemcpy3D, cudaMalloc3DArray
// A volume: points and trilinear filtering, copied with cudaMemcpy3D both ways.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define N 12
#define TRY(x)                                                                                     \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s\nFAIL\n", cudaGetErrorString(e));                                                   \
    exit(1);                                                                                       \
  }

__global__ void sample(cudaTextureObject_t point, cudaTextureObject_t linear, float* p, float* l) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, i = (z * N + y) * N + x;
  p[i] = tex3D<float>(point, x + 0.5f, y + 0.5f, z + 0.5f);
  l[i] = tex3D<float>(linear, x + 0.75f, y + 1.0f, z + 0.625f);
}

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc desc = {};
  for (auto& mode : desc.addressMode)
    mode = cudaAddressModeClamp;
  desc.filterMode = filter;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  TRY(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
  return tex;
}

int main() {
  std::vector<float> volume(N * N * N), p(volume.size()), l(volume.size()), back(volume.size());
  for (int i = 0; i < N * N * N; ++i)
    volume[i] = (float)(i * 7 % 64);
  cudaExtent extent = make_cudaExtent(N, N, N);
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  TRY(cudaMalloc3DArray(&array, &channel, extent));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), N * sizeof(float), N, N);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  TRY(cudaMemcpy3D(&copy));
  cudaTextureObject_t point = texture(array, cudaFilterModePoint),
                      linear = texture(array, cudaFilterModeLinear);
  float *dp, *dl;
  TRY(cudaMalloc(&dp, p.size() * sizeof(float)));
  TRY(cudaMalloc(&dl, p.size() * sizeof(float)));
  sample<<<N, dim3(N, N)>>>(point, linear, dp, dl);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(p.data(), dp, p.size() * sizeof(float), cudaMemcpyDeviceToHost));
  TRY(cudaMemcpy(l.data(), dl, p.size() * sizeof(float), cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms out = {0};
  out.srcArray = array;
  out.dstPtr = make_cudaPitchedPtr(back.data(), N * sizeof(float), N, N);
  out.extent = extent;
  out.kind = cudaMemcpyDeviceToHost;
  TRY(cudaMemcpy3D(&out));
  int bad = back != volume;
  auto at = [&](int x, int y, int z) {
    return volume[(std::min(z, N - 1) * N + std::min(y, N - 1)) * N + std::min(x, N - 1)];
  };
  for (int z = 0; z < N; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x) {
        float fx = 0.25f, fy = 0.5f, fz = 0.125f, want = 0;
        for (int k = 0; k < 8; ++k)
          want += (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy) * (k & 4 ? fz : 1 - fz) *
                  at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
        int i = (z * N + y) * N + x;
        if ((p[i] != volume[i] || fabsf(l[i] - want) > 0.5f) && bad++ < 5)
          printf("(%d, %d, %d): %g (%g), %g (%g)\n", x, y, z, p[i], volume[i], l[i], want);
      }
  cudaDestroyTextureObject(point), cudaDestroyTextureObject(linear);
  cudaFreeArray(array);
  cudaFree(dp), cudaFree(dl);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
