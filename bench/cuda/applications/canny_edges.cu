// SPDX-License-Identifier: Apache-2.0
// Finds edges in a grey picture: integer blur, Sobel, thinning and hysteresis grown tile by tile
// until nothing changes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#define TILE 16

using u8 = uint8_t;

static inline void ck(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("FAIL %s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

__host__ __device__ inline int at(const u8* p, int w, int h, int x, int y) {
  x = x < 0 ? 0 : (x >= w ? w - 1 : x);
  y = y < 0 ? 0 : (y >= h ? h - 1 : y);
  return p[y * w + x];
}

__host__ __device__ inline u8 blurPixel(const u8* p, int w, int h, int x, int y) {
  const int k[5] = {1, 4, 6, 4, 1};
  int s = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      s += k[i] * k[j] * at(p, w, h, x + i - 2, y + j - 2);
  return (u8)((s + 128) >> 8);
}

// magnitude in the low 12 bits, direction (0..3) above them
__host__ __device__ inline unsigned short sobelPixel(const u8* p, int w, int h, int x, int y) {
  int gx = at(p, w, h, x + 1, y - 1) + 2 * at(p, w, h, x + 1, y) + at(p, w, h, x + 1, y + 1) -
           at(p, w, h, x - 1, y - 1) - 2 * at(p, w, h, x - 1, y) - at(p, w, h, x - 1, y + 1);
  int gy = at(p, w, h, x - 1, y + 1) + 2 * at(p, w, h, x, y + 1) + at(p, w, h, x + 1, y + 1) -
           at(p, w, h, x - 1, y - 1) - 2 * at(p, w, h, x, y - 1) - at(p, w, h, x + 1, y - 1);
  int ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
  int dir;
  if (ay * 5 < ax * 2)
    dir = 0;
  else if (ax * 5 < ay * 2)
    dir = 2;
  else
    dir = ((gx < 0) == (gy < 0)) ? 1 : 3;
  return (unsigned short)((ax + ay) | (dir << 12));
}

__host__ __device__ inline u8 thinPixel(const unsigned short* g, int w, int h, int x, int y, int lo,
                                        int hi) {
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
    return 0;
  int v = g[y * w + x], mag = v & 4095;
  int dx = 1, dy = 0;
  switch (v >> 12) {
  case 1:
    dy = 1;
    break;
  case 2:
    dx = 0, dy = 1;
    break;
  case 3:
    dy = -1;
    break;
  }
  int before = g[(y - dy) * w + x - dx] & 4095, after = g[(y + dy) * w + x + dx] & 4095;
  if (mag < before || mag <= after || mag < lo)
    return 0;
  return mag >= hi ? 2 : 1;
}

__global__ void blur(const u8* in, u8* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = blurPixel(in, w, h, x, y);
}

__global__ void sobel(const u8* in, unsigned short* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = sobelPixel(in, w, h, x, y);
}

__global__ void thin(const unsigned short* g, u8* out, int w, int h, int lo, int hi) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = thinPixel(g, w, h, x, y, lo, hi);
}

// grows strong pixels into weak ones inside the tile (with a rim of one pixel from the last round)
__global__ void hysteresis(const u8* in, u8* out, int w, int h, int* changed) {
  __shared__ volatile u8 t[TILE + 2][TILE + 2];
  int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
  int id = threadIdx.y * TILE + threadIdx.x;
  for (int i = id; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
    int xx = x0 + i % (TILE + 2) - 1, yy = y0 + i / (TILE + 2) - 1;
    t[i / (TILE + 2)][i % (TILE + 2)] =
        (xx >= 0 && yy >= 0 && xx < w && yy < h) ? in[yy * w + xx] : 0;
  }
  __syncthreads();
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  bool any = false;
  while (true) {
    bool grow = false;
    if (t[ty][tx] == 1)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          grow |= t[ty + j][tx + i] == 2;
    if (!__syncthreads_or(grow))
      break;
    if (grow) {
      t[ty][tx] = 2;
      any = true;
    }
    __syncthreads();
  }
  if (any)
    *changed = 1;
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = t[ty][tx];
}

__global__ void finish(const u8* marks, u8* edges, unsigned* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool e = i < n && marks[i] == 2;
  if (i < n)
    edges[i] = e ? 255 : 0;
  int c = __syncthreads_count(e);
  if (threadIdx.x == 0 && c)
    atomicAdd(count, (unsigned)c);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 256;
  if (n < 32)
    n = 32;
  int w = n, h = n * 3 / 4;
  std::vector<u8> img(w * h);
  uint64_t s = 42;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      int cx = x % 96 - 48, cy = y % 80 - 40;
      int r = cx * cx + cy * cy;
      int v = r < 900 ? 170 - r / 12 : (x / 64 + y / 48) % 2 * 40 + 40;
      img[y * w + x] = (u8)(v + (int)(s >> 60));
    }
  const int lo = 60, hi = 220;

  u8 *dImg, *dA, *dB;
  unsigned short* dG;
  int* dChanged;
  unsigned* dCount;
  ck(cudaMalloc(&dImg, w * h));
  ck(cudaMalloc(&dA, w * h));
  ck(cudaMalloc(&dB, w * h));
  ck(cudaMalloc(&dG, w * h * 2));
  ck(cudaMalloc(&dChanged, 4));
  ck(cudaMalloc(&dCount, 4));
  ck(cudaMemset(dCount, 0, 4));
  ck(cudaMemcpy(dImg, img.data(), w * h, cudaMemcpyHostToDevice));
  dim3 b(TILE, TILE), g((w + TILE - 1) / TILE, (h + TILE - 1) / TILE);
  blur<<<g, b>>>(dImg, dA, w, h);
  sobel<<<g, b>>>(dA, dG, w, h);
  thin<<<g, b>>>(dG, dA, w, h, lo, hi);
  int rounds = 0, changed = 1;
  while (changed && rounds < 50) {
    ck(cudaMemset(dChanged, 0, 4));
    hysteresis<<<g, b>>>(dA, dB, w, h, dChanged);
    std::swap(dA, dB);
    ck(cudaMemcpy(&changed, dChanged, 4, cudaMemcpyDeviceToHost));
    rounds++;
  }
  finish<<<(w * h + 255) / 256, 256>>>(dA, dB, dCount, w * h);
  std::vector<u8> got(w * h);
  unsigned count;
  ck(cudaMemcpy(got.data(), dB, w * h, cudaMemcpyDeviceToHost));
  ck(cudaMemcpy(&count, dCount, 4, cudaMemcpyDeviceToHost));

  std::vector<u8> bl(w * h), mk(w * h);
  std::vector<unsigned short> gr(w * h);
  for (int i = 0; i < w * h; i++)
    bl[i] = blurPixel(img.data(), w, h, i % w, i / w);
  for (int i = 0; i < w * h; i++)
    gr[i] = sobelPixel(bl.data(), w, h, i % w, i / w);
  std::vector<int> stack;
  for (int i = 0; i < w * h; i++)
    if ((mk[i] = thinPixel(gr.data(), w, h, i % w, i / w, lo, hi)) == 2)
      stack.push_back(i);
  while (!stack.empty()) {
    int i = stack.back();
    stack.pop_back();
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int x = i % w + dx, y = i / w + dy;
        if (x >= 0 && y >= 0 && x < w && y < h && mk[y * w + x] == 1) {
          mk[y * w + x] = 2;
          stack.push_back(y * w + x);
        }
      }
  }
  unsigned expect = 0;
  int bad = 0;
  for (int i = 0; i < w * h; i++) {
    expect += mk[i] == 2;
    bad += (got[i] == 255) != (mk[i] == 2);
  }
  std::printf("%u edge pixels after %d rounds\n", count, rounds);
  if (bad || count != expect || changed) {
    std::printf("FAIL %d pixels differ, %u expected\n", bad, expect);
    return 1;
  }
  std::puts("PASS");
  return 0;
}
