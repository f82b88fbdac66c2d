// SPDX-License-Identifier: Apache-2.0
// COVERS: surfaces, surfaces: 1D, surfaces: 3D, surfaces: layered, textures: float4
// Surfaces of one and three dimensions and of layers, written by a kernel, read back by texture.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define N 8
#define CK(x) ck((x), __LINE__)
static void ck(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("line %d: %s\nFAIL\n", line, cudaGetErrorString(e));
    exit(1);
  }
}

__global__ void fill(cudaSurfaceObject_t line, cudaSurfaceObject_t volume,
                     cudaSurfaceObject_t layers) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (y == 0 && z == 0)
    surf1Dwrite(x * 2.0f, line, x * 4);
  surf3Dwrite(make_float4(x, y, z, 1.0f), volume, x * 16, y, z);
  surf2DLayeredwrite(x + 10 * y + 100 * z, layers, x * 4, y, z);
}

__global__ void change(cudaSurfaceObject_t line, cudaSurfaceObject_t volume,
                       cudaSurfaceObject_t layers) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (y == 0 && z == 0)
    surf1Dwrite(surf1Dread<float>(line, x * 4) + 1.0f, line, x * 4);
  float4 v = surf3Dread<float4>(volume, x * 16, y, z);
  v.w = v.x + v.y + v.z;
  surf3Dwrite(v, volume, x * 16, y, z);
  int l = surf2DLayeredread<int>(layers, x * 4, y, z);
  surf2DLayeredwrite(-l, layers, x * 4, y, z);
}

__global__ void readBack(cudaTextureObject_t line, cudaTextureObject_t volume,
                         cudaTextureObject_t layers, float* out) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, i = (z * N + y) * N + x;
  out[3 * i] = tex1D<float>(line, x + 0.5f);
  out[3 * i + 1] = tex3D<float4>(volume, x + 0.5f, y + 0.5f, z + 0.5f).w;
  out[3 * i + 2] = (float)tex2DLayered<int>(layers, x + 0.5f, y + 0.5f, z);
}

int main() {
  cudaArray_t line, volume, layers;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), f4 = cudaCreateChannelDesc<float4>(),
                        i1 = cudaCreateChannelDesc<int>();
  CK(cudaMallocArray(&line, &f, N, 0, cudaArraySurfaceLoadStore));
  CK(cudaMalloc3DArray(&volume, &f4, make_cudaExtent(N, N, N), cudaArraySurfaceLoadStore));
  CK(cudaMalloc3DArray(&layers, &i1, make_cudaExtent(N, N, N),
                       cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t s[3];
  cudaTextureObject_t t[3];
  cudaArray_t arrays[3] = {line, volume, layers};
  for (int k = 0; k < 3; ++k) {
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = arrays[k];
    CK(cudaCreateSurfaceObject(&s[k], &res));
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    desc.readMode = cudaReadModeElementType;
    CK(cudaCreateTextureObject(&t[k], &res, &desc, nullptr));
  }
  dim3 block(N, N);
  static float host[3 * N * N * N];
  float* out;
  CK(cudaMalloc(&out, sizeof host));
  fill<<<N, block>>>(s[0], s[1], s[2]);
  CK(cudaGetLastError());
  change<<<N, block>>>(s[0], s[1], s[2]);
  CK(cudaGetLastError());
  readBack<<<N, block>>>(t[0], t[1], t[2], out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int z = 0; z < N; ++z)
    for (int y = 0; y < N; ++y)
      for (int x = 0; x < N; ++x) {
        const float* o = host + 3 * ((z * N + y) * N + x);
        bad += o[0] != 2 * x + 1 || o[1] != x + y + z || o[2] != -(x + 10 * y + 100 * z);
      }
  for (int k = 0; k < 3; ++k) {
    CK(cudaDestroySurfaceObject(s[k]));
    CK(cudaDestroyTextureObject(t[k]));
    CK(cudaFreeArray(arrays[k]));
  }
  cudaFree(out);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
