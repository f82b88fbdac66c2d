// SPDX-License-Identifier: Apache-2.0
// REFUSED: cudaMallocMipmappedArray is not supported
// COVERS: textures, textures: tex2DLod, textures: mipmaps
// A pyramid of images, each a quarter of the one before, read by level.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK_ERR(x)                                                                               \
  if (cudaError_t err = (x)) {                                                                     \
    printf("%s:%d: %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(err));                      \
    exit(1);                                                                                       \
  }

constexpr int SIZE = 16, LEVELS = 4;

__global__ void sample(cudaTextureObject_t tex, int level, int n, float* out) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = tex2DLod<float>(tex, (x + 0.5f) / n, (y + 0.5f) / n, (float)level);
}

int main() {
  cudaMipmappedArray_t pyramid;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  CHECK_ERR(cudaMallocMipmappedArray(&pyramid, &channel, make_cudaExtent(SIZE, SIZE, 0), LEVELS));
  std::vector<std::vector<float>> levels(LEVELS);
  for (int l = 0; l < LEVELS; ++l) {
    int n = SIZE >> l;
    levels[l].resize(n * n);
    for (int i = 0; i < n * n; ++i)
      levels[l][i] = (float)(1000 * l + i);
    cudaArray_t array;
    CHECK_ERR(cudaGetMipmappedArrayLevel(&array, pyramid, l));
    CHECK_ERR(cudaMemcpy2DToArray(array, 0, 0, levels[l].data(), n * 4, n * 4, n,
                                  cudaMemcpyHostToDevice));
  }
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeMipmappedArray;
  res.res.mipmap.mipmap = pyramid;
  cudaTextureDesc desc = {};
  desc.normalizedCoords = 1;
  desc.filterMode = cudaFilterModePoint;
  desc.mipmapFilterMode = cudaFilterModePoint;
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  desc.readMode = cudaReadModeElementType;
  desc.maxMipmapLevelClamp = LEVELS - 1;
  cudaTextureObject_t tex;
  CHECK_ERR(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
  float* out;
  CHECK_ERR(cudaMallocManaged(&out, SIZE * SIZE * sizeof(float)));
  int bad = 0;
  for (int l = 0; l < LEVELS; ++l) {
    int n = SIZE >> l;
    sample<<<1, dim3(SIZE, SIZE)>>>(tex, l, n, out);
    CHECK_ERR(cudaGetLastError());
    CHECK_ERR(cudaDeviceSynchronize());
    for (int i = 0; i < n * n; ++i)
      if (out[i] != levels[l][i] && bad++ < 5)
        printf("level %d texel %d: %g, expected %g\n", l, i, out[i], levels[l][i]);
  }
  CHECK_ERR(cudaDestroyTextureObject(tex));
  CHECK_ERR(cudaFreeMipmappedArray(pyramid));
  cudaFree(out);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
