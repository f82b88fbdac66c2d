// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: 2D linear, textures: clamp, events
// An image turned by an angle with bilinear filtering, against the formula of the programming guide
// with fractions of eight bits. Arguments: width height degrees.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK_RETURN(value)                                                                   \
  {                                                                                                \
    cudaError_t _m_cudaStat = value;                                                               \
    if (_m_cudaStat != cudaSuccess) {                                                              \
      fprintf(stderr, "Error %s at line %d in file %s\n", cudaGetErrorString(_m_cudaStat),         \
              __LINE__, __FILE__);                                                                 \
      puts("FAIL");                                                                                \
      exit(1);                                                                                     \
    }                                                                                              \
  }

__host__ __device__ float2 turned(int x, int y, int w, int h, float c, float s) {
  float u = x - 0.5f * w, v = y - 0.5f * h;
  float tu = u * c - v * s + 0.5f * w, tv = v * c + u * s + 0.5f * h;
  // To sixteenths, so that host and device agree on the place.
  return make_float2(rintf(tu * 16.0f) / 16.0f, rintf(tv * 16.0f) / 16.0f);
}

__global__ void rotate(float* out, const float2* places, int w, int h, cudaTextureObject_t tex) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = tex2D<float>(tex, places[y * w + x].x + 0.5f, places[y * w + x].y + 0.5f);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 96, h = argc > 2 ? atoi(argv[2]) : 64;
  float angle = (argc > 3 ? (float)atof(argv[3]) : 30.0f) * 3.14159265f / 180;
  std::vector<float> image(w * h), got(w * h);
  std::vector<float2> places(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      image[y * w + x] = (float)((x * 5 + y * 11) % 256);
      places[y * w + x] = turned(x, y, w, h, cosf(angle), sinf(angle));
    }
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray* array;
  CUDA_CHECK_RETURN(cudaMallocArray(&array, &channel, w, h));
  CUDA_CHECK_RETURN(cudaMemcpy2DToArray(array, 0, 0, image.data(), w * sizeof(float),
                                        w * sizeof(float), h, cudaMemcpyHostToDevice));
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  desc.filterMode = cudaFilterModeLinear;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0;
  CUDA_CHECK_RETURN(cudaCreateTextureObject(&tex, &res, &desc, NULL));
  float* out;
  float2* dplaces;
  CUDA_CHECK_RETURN(cudaMalloc(&out, w * h * sizeof(float)));
  CUDA_CHECK_RETURN(cudaMalloc(&dplaces, w * h * sizeof(float2)));
  CUDA_CHECK_RETURN(
      cudaMemcpy(dplaces, places.data(), w * h * sizeof(float2), cudaMemcpyHostToDevice));
  cudaEvent_t a, b;
  CUDA_CHECK_RETURN(cudaEventCreate(&a));
  CUDA_CHECK_RETURN(cudaEventCreate(&b));
  CUDA_CHECK_RETURN(cudaEventRecord(a, 0));
  rotate<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(out, dplaces, w, h, tex);
  CUDA_CHECK_RETURN(cudaEventRecord(b, 0));
  CUDA_CHECK_RETURN(cudaEventSynchronize(b));
  CUDA_CHECK_RETURN(cudaMemcpy(got.data(), out, w * h * sizeof(float), cudaMemcpyDeviceToHost));
  auto at = [&](int x, int y) {
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return image[y * w + x];
  };
  int bad = 0;
  for (int i = 0; i < w * h; ++i) {
    float x = places[i].x, y = places[i].y;
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - ix, fy = y - iy;
    float want = (1 - fx) * (1 - fy) * at(ix, iy) + fx * (1 - fy) * at(ix + 1, iy) +
                 (1 - fx) * fy * at(ix, iy + 1) + fx * fy * at(ix + 1, iy + 1);
    if (fabsf(want - got[i]) > 1.0f && bad++ < 5)
      printf("(%g, %g): %g, expected %g\n", x, y, got[i], want);
  }
  cudaDestroyTextureObject(tex);
  cudaFreeArray(array);
  cudaFree(out), cudaFree(dplaces);
  cudaEventDestroy(a), cudaEventDestroy(b);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
