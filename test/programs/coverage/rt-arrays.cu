// SPDX-License-Identifier: Apache-2.0
// COVERS: arrays, cudaMemcpy2DToArray, cudaMemcpy2DFromArray, cudaArrayGetInfo
// cudaArrays as stores: parts copied in and out, from one array to another, and their description.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define DIE(x)                                                                                     \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e) {                                                                                       \
      printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                         \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

int main() {
  const int W = 32, H = 12;
  std::vector<short2> image(W * H), out(W * H);
  for (int i = 0; i < W * H; ++i) {
    image[i] = make_short2((short)i, (short)-i);
    out[i] = make_short2(0, 0);
  }
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<short2>(), got;
  cudaArray_t a, b;
  DIE(cudaMallocArray(&a, &desc, W, H));
  DIE(cudaMallocArray(&b, &desc, W, H));
  const size_t row = W * sizeof(short2);
  DIE(cudaMemcpy2DToArray(a, 0, 0, image.data(), row, row, H, cudaMemcpyHostToDevice));
  DIE(cudaMemcpy2DToArray(b, 0, 0, out.data(), row, row, H, cudaMemcpyHostToDevice));
  // A window of 10 by 5 from (4, 2) of one to (20, 6) of the other.
  DIE(cudaMemcpy2DArrayToArray(b, 20 * sizeof(short2), 6, a, 4 * sizeof(short2), 2,
                               10 * sizeof(short2), 5, cudaMemcpyDeviceToDevice));
  DIE(cudaMemcpy2DFromArray(out.data(), row, b, 0, 0, row, H, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      bool inside = x >= 20 && x < 30 && y >= 6 && y < 11;
      int want = inside ? (y - 4) * W + x - 16 : 0;
      bad += out[y * W + x].x != want || out[y * W + x].y != -want;
    }
  cudaExtent extent;
  unsigned flags = 99;
  DIE(cudaArrayGetInfo(&got, &extent, &flags, a));
  bad += got.x != 16 || got.y != 16 || got.z != 0 || got.f != cudaChannelFormatKindSigned;
  bad += extent.width != W || extent.height != H || extent.depth != 0 || flags != 0;
  DIE(cudaGetChannelDesc(&got, b));
  bad += got.x != 16 || got.f != cudaChannelFormatKindSigned;
  short2 window[6];
  DIE(cudaMemcpy2DFromArray(window, 3 * sizeof(short2), a, 5 * sizeof(short2), 1,
                            3 * sizeof(short2), 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; ++i)
    bad += window[i].x != (1 + i / 3) * W + 5 + i % 3;
  DIE(cudaFreeArray(a));
  DIE(cudaFreeArray(b));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
