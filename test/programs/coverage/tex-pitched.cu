// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: pitched 2D, cudaMallocPitch, cudaMemcpy2D
// A stencil that reads its grid through a texture over pitched memory, points and linear.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

static const char* at = "";
#define DO(call)                                                                                   \
  do {                                                                                             \
    at = #call;                                                                                    \
    cudaError_t e = call;                                                                          \
    if (e != cudaSuccess) {                                                                        \
      printf("%s: %s\nFAIL\n", at, cudaGetErrorString(e));                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void average(cudaTextureObject_t tex, cudaTextureObject_t smooth, float* out, float* mid,
                        size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += tex2D<float>(tex, x + dx + 0.5f, y + dy + 0.5f);
  *(float*)((char*)out + y * pitch + x * sizeof(float)) = sum;
  *(float*)((char*)mid + y * pitch + x * sizeof(float)) = tex2D<float>(smooth, x + 1.0f, y + 1.0f);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 75, h = argc > 2 ? atoi(argv[2]) : 40;
  std::vector<float> grid(w * h), got(w * h), middle(w * h);
  for (int i = 0; i < w * h; ++i)
    grid[i] = (float)(i * 17 % 128);
  float *in, *out, *mid;
  size_t pitch, outPitch;
  DO(cudaMallocPitch(&in, &pitch, w * sizeof(float), h));
  DO(cudaMallocPitch(&out, &outPitch, w * sizeof(float), h));
  DO(cudaMallocPitch(&mid, &outPitch, w * sizeof(float), h));
  DO(cudaMemcpy2D(in, pitch, grid.data(), w * sizeof(float), w * sizeof(float), h,
                  cudaMemcpyHostToDevice));
  cudaResourceDesc res;
  memset(&res, 0, sizeof(res));
  res.resType = cudaResourceTypePitch2D;
  res.res.pitch2D.devPtr = in;
  res.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  res.res.pitch2D.width = w;
  res.res.pitch2D.height = h;
  res.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc desc;
  memset(&desc, 0, sizeof(desc));
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex, smooth;
  DO(cudaCreateTextureObject(&tex, &res, &desc, NULL));
  desc.filterMode = cudaFilterModeLinear;
  DO(cudaCreateTextureObject(&smooth, &res, &desc, NULL));
  average<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(tex, smooth, out, mid, outPitch, w, h);
  DO(cudaGetLastError());
  DO(cudaMemcpy2D(got.data(), w * sizeof(float), out, outPitch, w * sizeof(float), h,
                  cudaMemcpyDeviceToHost));
  DO(cudaMemcpy2D(middle.data(), w * sizeof(float), mid, outPitch, w * sizeof(float), h,
                  cudaMemcpyDeviceToHost));
  auto value = [&](int x, int y) {
    return grid[(y < 0 ? 0 : y >= h ? h - 1 : y) * w + (x < 0 ? 0 : x >= w ? w - 1 : x)];
  };
  int bad = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0,
            m = 0.25f * (value(x, y) + value(x + 1, y) + value(x, y + 1) + value(x + 1, y + 1));
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += value(x + dx, y + dy);
      bad += sum != got[y * w + x] || fabsf(m - middle[y * w + x]) > 0.5f;
    }
  DO(cudaDestroyTextureObject(tex));
  DO(cudaDestroyTextureObject(smooth));
  DO(cudaFree(in));
  DO(cudaFree(out));
  DO(cudaFree(mid));
  printf("%d of %d wrong\n%s\n", bad, w * h, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
