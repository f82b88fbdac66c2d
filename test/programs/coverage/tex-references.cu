// SPDX-License-Identifier: Apache-2.0
// COVERS: texture references
// DIFFERS: CUDA 12 and later have no texture references, so that nvcc does not compile it
// CUDA 11's texture references, as old programs have them: one of linear memory, one of pitched memory, one of an array with linear
// filtering and coordinates from 0 to 1, one that gives floats of bytes. CUDA 12 has none: this runs with clang's device code only.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                   \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(cudaGetLastError()));                          \
    exit(1);                                                                                       \
  }

texture<float> values; // one dimension, elements as they are
texture<int2, 1, cudaReadModeElementType> pairs;
static texture<float, 2, cudaReadModeElementType> pitched;
texture<float, 2> image;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;

__device__ float fromBoth(int i) {
  const int2 pair = tex1Dfetch(pairs, i);
  return tex1Dfetch(values, i) + pair.x * 1000 + pair.y;
}

__global__ void readLinear(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fromBoth(i);
}
__global__ void readPitched(float* out, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height)
    out[y * width + x] = tex2D(pitched, x + 0.5f, y + 0.5f);
}
__global__ void readImage(float* out, int n) {
  out[threadIdx.x] = tex2D(image, (threadIdx.x + 1.0f) / n, 0.5f / 2); // half way between texels
}
__global__ void readColours(float4* out) {
  out[threadIdx.x] = tex2D(colours, threadIdx.x, 0);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100, width = 20, height = 6, side = 8;
  std::vector<float> h(n), got(n);
  std::vector<int2> p(n);
  for (int i = 0; i < n; ++i)
    h[i] = 0.25f * i, p[i] = make_int2(i, i % 7);
  float *d, *out, *rows;
  int2* dp;
  size_t pitch, offset = 99;
  bool ok = true;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMalloc(&dp, n * sizeof(int2)));
  CHECK(cudaMalloc(&out, 1024 * sizeof(float)));
  CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(float), height));
  CHECK(cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dp, p.data(), n * sizeof(int2), cudaMemcpyHostToDevice));

  CHECK(cudaBindTexture(0, values, d, n * sizeof(float)));
  CHECK(cudaBindTexture(&offset, pairs, dp)); // all that is there
  readLinear<<<(n + 31) / 32, 32>>>(out, n);
  CHECK(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    ok = ok && got[i] == h[i] + i * 1000 + i % 7;
  printf("linear: %s\n", ok && offset == 0 ? "fine" : "wrong");
  CHECK(cudaUnbindTexture(values));
  CHECK(cudaUnbindTexture(pairs));

  std::vector<float> plane(width * height), back(width * height);
  for (int i = 0; i < width * height; ++i)
    plane[i] = i * 3 % 17;
  CHECK(cudaMemcpy2D(rows, pitch, plane.data(), width * sizeof(float), width * sizeof(float), height,
                     cudaMemcpyHostToDevice));
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaBindTexture2D(0, pitched, rows, format, width, height, pitch));
  readPitched<<<height, 32>>>(out, width, height);
  CHECK(cudaMemcpy(back.data(), out, back.size() * sizeof(float), cudaMemcpyDeviceToHost));
  ok = ok && back == plane;
  printf("pitched: %s\n", back == plane ? "fine" : "wrong");

  cudaArray* array;
  std::vector<float> texels(2 * side), between(side);
  for (int i = 0; i < 2 * side; ++i)
    texels[i] = i * i;
  CHECK(cudaMallocArray(&array, &format, side, 2));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), side * sizeof(float), side * sizeof(float), 2,
                            cudaMemcpyHostToDevice));
  image.normalized = true;
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(image, array, format));
  readImage<<<1, side>>>(out, side);
  CHECK(cudaMemcpy(between.data(), out, side * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < side; ++i) {
    const float want = (texels[i] + texels[(i + 1) % side]) / 2;
    ok = ok && fabsf(between[i] - want) < 0.2f; // weights have 8 bits
  }
  printf("image: %g %g\n", between[0], between[side - 1]);

  cudaArray* bytes;
  const uchar4 four[2] = {make_uchar4(0, 51, 102, 255), make_uchar4(255, 204, 153, 0)};
  float4 colour[2];
  cudaChannelFormatDesc byteFormat = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&bytes, &byteFormat, 2, 1));
  CHECK(cudaMemcpyToArray(bytes, 0, 0, four, sizeof four, cudaMemcpyHostToDevice));
  CHECK(cudaBindTextureToArray(colours, bytes));
  readColours<<<1, 2>>>((float4*)out);
  CHECK(cudaMemcpy(colour, out, sizeof colour, cudaMemcpyDeviceToHost));
  ok = ok && colour[0].y == 0.2f && colour[0].w == 1 && fabsf(colour[1].z - 0.6f) < 1e-6f;
  printf("colours: %g %g %g %g\n", colour[0].x, colour[0].y, colour[0].z, colour[0].w);
  cudaFreeArray(array), cudaFreeArray(bytes), cudaFree(d), cudaFree(dp), cudaFree(out), cudaFree(rows);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
