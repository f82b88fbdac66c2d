// SPDX-License-Identifier: Apache-2.0
// Tone mapping of a high dynamic range image with 32x8 thread blocks.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void toneMap(const float3* hdr, uchar4* ldr, int width, int height, float exposure) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float3 c = hdr[y * width + x];
    float lum = exposure * (0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z);
    float scale = exposure * (1.0f + lum / 16.0f) / (1.0f + lum);
    uchar4 o;
    o.x = static_cast<unsigned char>(255.0f * fminf(1.0f, powf(c.x * scale, 0.4545f)));
    o.y = static_cast<unsigned char>(255.0f * fminf(1.0f, powf(c.y * scale, 0.4545f)));
    o.z = static_cast<unsigned char>(255.0f * fminf(1.0f, powf(c.z * scale, 0.4545f)));
    o.w = 255;
    ldr[y * width + x] = o;
  }
}

int main(int argc, char** argv) {
  int pixels = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int width = 1600;
  int height = (pixels + width - 1) / width;
  int n = width * height;
  std::mt19937 gen(800);
  std::exponential_distribution<float> e(1.5f);
  std::vector<float3> hdr(n);
  for (float3& c : hdr) c = make_float3(e(gen), e(gen), e(gen));
  float3* dHdr;
  uchar4* dLdr;
  cudaMalloc(&dHdr, n * sizeof(float3));
  cudaMalloc(&dLdr, n * sizeof(uchar4));
  cudaMemcpy(dHdr, hdr.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  toneMap<<<grid, block>>>(dHdr, dLdr, width, height, 0.8f);
  std::vector<uchar4> ldr(n);
  cudaMemcpy(ldr.data(), dLdr, n * sizeof(uchar4), cudaMemcpyDeviceToHost);
  unsigned long long r = 0, g = 0, b = 0;
  for (const uchar4& c : ldr) {
    r += c.x;
    g += c.y;
    b += c.z;
  }
  std::printf("red %llu green %llu blue %llu\n", r, g, b);
  cudaFree(dHdr);
  cudaFree(dLdr);
  return 0;
}
