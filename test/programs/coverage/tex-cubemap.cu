// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: cubemap, cudaMalloc3DArray
// Six faces read by direction; the direction of each texel comes from the table of the guide.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define E(x)                                                                                       \
  do {                                                                                             \
    cudaError_t err = (x);                                                                         \
    if (err) {                                                                                     \
      printf("%s\nFAIL\n", cudaGetErrorString(err));                                               \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

#define N 8

__global__ void look(cudaTextureObject_t cube, float* out) {
  int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  float s = 2.0f * (x + 0.5f) / N - 1.0f, t = 2.0f * (y + 0.5f) / N - 1.0f;
  float dx, dy, dz;
  switch (face) {
  case 0:
    dx = 1, dy = -t, dz = -s;
    break;
  case 1:
    dx = -1, dy = -t, dz = s;
    break;
  case 2:
    dx = s, dy = 1, dz = t;
    break;
  case 3:
    dx = s, dy = -1, dz = -t;
    break;
  case 4:
    dx = s, dy = -t, dz = 1;
    break;
  default:
    dx = -s, dy = -t, dz = -1;
  }
  float length = 1.0f + face * 0.5f; // only the direction counts
  out[(face * N + y) * N + x] = texCubemap<float>(cube, dx * length, dy * length, dz * length);
}

int main() {
  std::vector<float> faces(6 * N * N), got(6 * N * N);
  for (size_t i = 0; i < faces.size(); ++i)
    faces[i] = (float)(i * 3 + 1);
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  E(cudaMalloc3DArray(&array, &channel, make_cudaExtent(N, N, 6), cudaArrayCubemap));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(faces.data(), N * sizeof(float), N, N);
  p.dstArray = array;
  p.extent = make_cudaExtent(N, N, 6);
  p.kind = cudaMemcpyHostToDevice;
  E(cudaMemcpy3D(&p));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeWrap;
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeElementType;
  desc.normalizedCoords = true;
  cudaTextureObject_t cube = 0;
  E(cudaCreateTextureObject(&cube, &res, &desc, NULL));
  float* out;
  E(cudaMalloc(&out, got.size() * sizeof(float)));
  look<<<6, dim3(N, N)>>>(cube, out);
  E(cudaGetLastError());
  E(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != faces[i] && bad++ < 5)
      printf("texel %zu: %g, expected %g\n", i, got[i], faces[i]);
  E(cudaDestroyTextureObject(cube));
  E(cudaFreeArray(array));
  E(cudaFree(out));
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
