// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: layered, cudaMalloc3DArray
// Layers of images and of lines: no filtering between them, the layer is clamped.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA(x)                                                                                    \
  if (auto e = (x); e != cudaSuccess) {                                                            \
    printf("%d: %s\nFAIL\n", __LINE__, cudaGetErrorString(e));                                     \
    exit(1);                                                                                       \
  }

constexpr int W = 16, H = 8, LAYERS = 5;

__global__ void transform(cudaTextureObject_t images, cudaTextureObject_t lines, float* a,
                          float* b) {
  int x = threadIdx.x, y = threadIdx.y, l = blockIdx.x, i = (l * H + y) * W + x;
  a[i] = -tex2DLayered<float>(images, (x + 0.5f) / W, (y + 0.5f) / H, l) + l;
  if (y == 0)
    b[l * W + x] = tex1DLayered<float>(lines, x + 0.5f, l);
}

cudaTextureObject_t layered(cudaArray_t* array, const std::vector<float>& data, int h,
                            bool normalised) {
  cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CUDA(cudaMalloc3DArray(array, &channel, make_cudaExtent(W, h, LAYERS), cudaArrayLayered));
  int rows = h ? h : 1;
  cudaMemcpy3DParms p = {0};
  p.srcPos = make_cudaPos(0, 0, 0);
  p.dstPos = make_cudaPos(0, 0, 0);
  p.srcPtr = make_cudaPitchedPtr((void*)data.data(), W * sizeof(float), W, rows);
  p.dstArray = *array;
  p.extent = make_cudaExtent(W, rows, LAYERS);
  p.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&p));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = *array;
  cudaTextureDesc desc = {};
  desc.normalizedCoords = normalised;
  desc.filterMode = cudaFilterModePoint;
  desc.addressMode[0] = desc.addressMode[1] =
      normalised ? cudaAddressModeWrap : cudaAddressModeClamp;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  CUDA(cudaCreateTextureObject(&tex, &res, &desc, NULL));
  return tex;
}

int main() {
  std::vector<float> images(W * H * LAYERS), lines(W * LAYERS);
  for (size_t i = 0; i < images.size(); ++i)
    images[i] = (float)i;
  for (size_t i = 0; i < lines.size(); ++i)
    lines[i] = (float)(1000 - i);
  cudaArray_t a, b;
  cudaTextureObject_t ta = layered(&a, images, H, true), tb = layered(&b, lines, 0, false);
  float *oa, *ob;
  CUDA(cudaMallocManaged(&oa, images.size() * sizeof(float)));
  CUDA(cudaMallocManaged(&ob, lines.size() * sizeof(float)));
  transform<<<LAYERS, dim3(W, H)>>>(ta, tb, oa, ob);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  int bad = 0;
  for (int i = 0; i < W * H * LAYERS; ++i)
    bad += oa[i] != -images[i] + i / (W * H);
  for (int i = 0; i < W * LAYERS; ++i)
    bad += ob[i] != lines[i];
  CUDA(cudaDestroyTextureObject(ta));
  CUDA(cudaDestroyTextureObject(tb));
  CUDA(cudaFreeArray(a));
  CUDA(cudaFreeArray(b));
  cudaFree(oa);
  cudaFree(ob);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
