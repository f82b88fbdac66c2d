// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: 2D point, textures: wrap, textures: clamp, textures: mirror
// COVERS: textures: border, textures: normalised coordinates
// Each address mode with points inside and outside of a small image, in normalised coordinates.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define W 16
#define H 8
#define checkCuda(e)                                                                               \
  do {                                                                                             \
    cudaError_t r_ = (e);                                                                          \
    if (r_ != cudaSuccess) {                                                                       \
      printf("%s (%d)\nFAIL\n", cudaGetErrorString(r_), __LINE__);                                 \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

// Three images wide and high, one texel at a time.
__global__ void sample(cudaTextureObject_t tex, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float u = (x - W + 0.5f) / W, v = (y - H + 0.5f) / H;
  out[y * 3 * W + x] = tex2D<int>(tex, u, v);
}

static int index(int i, int n, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeWrap:
    return (i % n + n) % n;
  case cudaAddressModeClamp:
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  case cudaAddressModeMirror: {
    int m = (i % (2 * n) + 2 * n) % (2 * n);
    return m < n ? m : 2 * n - 1 - m;
  }
  default:
    return i >= 0 && i < n ? i : -1;
  }
}

int main() {
  std::vector<int> image(W * H), got(9 * W * H);
  for (int i = 0; i < W * H; ++i)
    image[i] = i * 3 + 5;
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  checkCuda(cudaMallocArray(&array, &desc, W, H));
  checkCuda(
      cudaMemcpy2DToArray(array, 0, 0, image.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
  int* out;
  checkCuda(cudaMalloc(&out, got.size() * sizeof(int)));
  int bad = 0;
  for (auto mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc td = {};
    td.addressMode[0] = td.addressMode[1] = mode;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 1;
    cudaTextureObject_t tex = 0;
    checkCuda(cudaCreateTextureObject(&tex, &res, &td, NULL));
    sample<<<dim3(3, 3 * H), W>>>(tex, out);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int y = 0; y < 3 * H; ++y)
      for (int x = 0; x < 3 * W; ++x) {
        int ix = index(x - W, W, mode), iy = index(y - H, H, mode);
        int want = ix < 0 || iy < 0 ? 0 : image[iy * W + ix];
        if (got[y * 3 * W + x] != want && bad++ < 8)
          printf("mode %d at (%d, %d): %d, expected %d\n", mode, x - W, y - H, got[y * 3 * W + x],
                 want);
      }
    checkCuda(cudaDestroyTextureObject(tex));
  }
  checkCuda(cudaFreeArray(array));
  checkCuda(cudaFree(out));
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
