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

const int THREADS = 256;
const int TILES = 8;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void smooth(const float* __restrict__ in, const unsigned char* __restrict__ mask,
                       float* __restrict__ out, int width, int height) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool inside = i < width * height;
    bool noisy = inside && mask[i];
    if (inside && !noisy) out[i] = in[i];
    pack(noisy, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    int x = i % width, y = i / width;
    float center = in[i];
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
    out[i] = sum / norm;
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

  int blocks = static_cast<int>((n + THREADS * TILES - 1) / (THREADS * TILES));
  smooth<<<blocks, THREADS>>>(dIn, dMask, dOut, width, height);

  cudaMemcpy(image.data(), dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : image) sum += v;
  std::printf("mean %.5f\n", sum / n);
  cudaFree(dIn);
  cudaFree(dOut);
  cudaFree(dMask);
}
