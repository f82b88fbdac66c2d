// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces by their instructions of PTX, as nvcc writes them.
#include "../check.h"

__global__ void read(cudaTextureObject_t texture, float* out) {
  float4 v;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(texture), "f"(threadIdx.x + 0.5f), "f"(1.5f));
  out[threadIdx.x] = v.x;
  asm volatile("tld4.r.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(texture), "f"(threadIdx.x + 1.0f), "f"(1.0f));
  out[4 + threadIdx.x] = v.x + 10 * v.w;
  unsigned int width;
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(texture));
  out[8 + threadIdx.x] = width;
}

__global__ void move(cudaSurfaceObject_t surface) {
  unsigned int bits;
  asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];"
               : "=r"(bits)
               : "l"(surface), "r"(4 * (int)threadIdx.x + 4), "r"(0));
  __syncwarp(15u);
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};"
               :
               : "l"(surface), "r"(4 * (int)threadIdx.x), "r"(0), "r"(bits));
}

int main() {
  const float texels[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK_CUDA(cudaMallocArray(&array, &format, 4, 2, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* out;
  CHECK_CUDA(cudaMallocManaged(&out, 12 * sizeof(float)));
  read<<<1, 4>>>(texture, out);
  CHECK_LAUNCH();
  for (int i = 0; i < 4; ++i) {
    expectEqual("texel " + std::to_string(i), out[i], texels[1][i]);
    expectEqual("gathered " + std::to_string(i), out[4 + i], texels[1][i] + 10 * texels[0][i]);
    expectEqual("width " + std::to_string(i), out[8 + i], 4.0f);
  }
  cudaSurfaceObject_t surface;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));
  move<<<1, 4>>>(surface);
  CHECK_LAUNCH();
  float row[4];
  CHECK_CUDA(cudaMemcpy2DFromArray(row, 16, array, 0, 0, 16, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) // one to the left; nothing comes in from the right
    expectEqual("moved " + std::to_string(i), row[i], i < 3 ? texels[0][i + 1] : 0.0f);
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFree(out));
  return finish();
}
