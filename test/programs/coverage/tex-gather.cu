// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: tex2Dgather, textures: tex2DLod, textures: float4
// The four texels around a corner in one fetch, for two components; tex2DLod of an array without
// levels.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define W 20
#define H 10
#define RT(call)                                                                                   \
  do {                                                                                             \
    const auto e = (call);                                                                         \
    if (e != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(e));                                     \
      puts("FAIL");                                                                                \
      exit(2);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void gather(cudaTextureObject_t tex, float4* first, float4* second, float4* level) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x >= W - 1)
    return;
  first[y * (W - 1) + x] = tex2Dgather<float4>(tex, x + 1.0f, y + 1.0f, 0);
  second[y * (W - 1) + x] = tex2Dgather<float4>(tex, x + 1.0f, y + 1.0f, 1);
  level[y * (W - 1) + x] = tex2DLod<float4>(tex, x + 0.5f, y + 0.5f, 0.0f);
}

int main() {
  std::vector<float4> image(W * H);
  for (int i = 0; i < W * H; ++i)
    image[i] = make_float4(i, -i, 2 * i, 1);
  auto channel = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  RT(cudaMallocArray(&array, &channel, W, H, cudaArrayTextureGather));
  RT(cudaMemcpy2DToArray(array, 0, 0, image.data(), W * sizeof(float4), W * sizeof(float4), H,
                         cudaMemcpyHostToDevice));
  cudaResourceDesc res{};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc desc{};
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  RT(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
  const int n = (W - 1) * (H - 1);
  float4 *a, *b, *c;
  RT(cudaMallocManaged(&a, n * sizeof(float4)));
  RT(cudaMallocManaged(&b, n * sizeof(float4)));
  RT(cudaMallocManaged(&c, n * sizeof(float4)));
  gather<<<H - 1, 32>>>(tex, a, b, c);
  RT(cudaGetLastError());
  RT(cudaDeviceSynchronize());
  int bad = 0;
  for (int y = 0; y < H - 1; ++y)
    for (int x = 0; x < W - 1; ++x) {
      int i = y * (W - 1) + x;
      float p = (float)(y * W + x); // w: (x, y), z: right, y: right below, x: below
      bool ok = a[i].w == p && a[i].z == p + 1 && a[i].y == p + W + 1 && a[i].x == p + W &&
                b[i].w == -p && b[i].y == -(p + W + 1) && c[i].z == 2 * p && c[i].w == 1;
      if (!ok && bad++ < 5)
        printf("(%d, %d): %g %g %g %g\n", x, y, a[i].x, a[i].y, a[i].z, a[i].w);
    }
  RT(cudaDestroyTextureObject(tex));
  RT(cudaFreeArray(array));
  cudaFree(a), cudaFree(b), cudaFree(c);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
