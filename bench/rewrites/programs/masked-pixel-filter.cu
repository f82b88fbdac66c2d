// SPDX-License-Identifier: Apache-2.0
// Smooths the pixels a mask marks as noisy with a 7x7 range-weighted filter, copies the others.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

const int RADIUS = 3;

__device__ int clampi(int v, int lo, int hi) {
  return v < lo ? lo : (v > hi ? hi : v);
}

__global__ void smooth(const float* __restrict__ in, const unsigned char* __restrict__ mask,
                       float* __restrict__ out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int p = y * width + x;
  if (mask[p]) {
    float center = in[p];
    float sum = 0.0f, norm = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
      for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
        int qx = clampi(x + dx, 0, width - 1);
        int qy = clampi(y + dy, 0, height - 1);
        float v = in[qy * width + qx];
        float diff = v - center;
        float w = expf(-0.08f * (dx * dx + dy * dy) - 4.0f * diff * diff);
        sum += w * v;
        norm += w;
      }
    }
    out[p] = sum / norm;
  } else {
    out[p] = in[p];
  }
}

int main(int argc, char** argv) {
  int pixels = argc > 1 ? std::atoi(argv[1]) : 2 * 1024 * 1024;
  int width = 1024, height = (pixels + width - 1) / width;
  size_t n = static_cast<size_t>(width) * height;
  std::mt19937 gen(7);
  std::vector<float> image(n);
  std::vector<unsigned char> mask(n);
  for (size_t i = 0; i < n; ++i) {
    image[i] = (gen() & 1023) / 1023.0f;
    mask[i] = gen() % 100 < 12;
  }
  float *dIn, *dOut;
  unsigned char* dMask;
  cudaMalloc(&dIn, n * sizeof(float));
  cudaMalloc(&dOut, n * sizeof(float));
  cudaMalloc(&dMask, n);
  cudaMemcpy(dIn, image.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dMask, mask.data(), n, cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  smooth<<<grid, block>>>(dIn, dMask, dOut, width, height);

  cudaMemcpy(image.data(), dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : image) sum += v;
  std::printf("mean %.5f\n", sum / n);
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dMask);
}
