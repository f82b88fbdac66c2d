// SPDX-License-Identifier: Apache-2.0
// Transforms a grey picture in 8x8 blocks (DCT), quantises, and writes zigzag run-length symbols
// packed one after another.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK_ERR(x)                                                                               \
  if (cudaError_t err = (x)) {                                                                     \
    printf("FAIL %s (%d)\n", cudaGetErrorString(err), __LINE__);                                   \
    exit(1);                                                                                       \
  }

static const int QTABLE[64] = {16,  11,  10,  16,  24, 40, 51,  61,  12,  12,  14,  19,  26,
                               58,  60,  55,  14,  13, 16, 24,  40,  57,  69,  56,  14,  17,
                               22,  29,  51,  87,  80, 62, 18,  22,  37,  56,  68,  109, 103,
                               77,  24,  35,  55,  64, 81, 104, 113, 92,  49,  64,  78,  87,
                               103, 121, 120, 101, 72, 92, 95,  98,  112, 100, 103, 99};

__constant__ int c_quant[64];
__constant__ int c_zigzag[64];
__constant__ float c_cos[64]; // [frequency][sample]

// 64 threads, one picture block
__global__ void dct8x8(const unsigned char* img, short* coef, int w) {
  __shared__ float s[8][8], t[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = (float)img[(blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x] - 128.0f;
  __syncthreads();
  float a = 0;
  for (int k = 0; k < 8; k++)
    a += c_cos[x * 8 + k] * s[y][k];
  t[y][x] = a;
  __syncthreads();
  a = 0;
  for (int k = 0; k < 8; k++)
    a += c_cos[y * 8 + k] * t[k][x];
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  coef[block * 64 + y * 8 + x] = (short)rintf(a / c_quant[y * 8 + x]);
}

// A symbol is run << 16 | value; 0xffff0000 ends a block. One thread goes through one block.
__device__ int encodeBlock(const short* c, unsigned* out) {
  short z[64];
  for (int i = 0; i < 64; i++)
    z[i] = c[c_zigzag[i]];
  int run = 0, n = 0;
  for (int i = 0; i < 64; i++) {
    if (z[i] == 0) {
      run++;
      continue;
    }
    if (out)
      out[n] = (unsigned)run << 16 | (unsigned short)z[i];
    n++;
    run = 0;
  }
  if (out)
    out[n] = 0xffff0000u;
  return n + 1;
}

__global__ void countSymbols(const short* coef, int* count, int blocks) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < blocks)
    count[b] = encodeBlock(coef + b * 64, nullptr);
}

// exclusive sum by a single block of 512 threads
__global__ void scanCounts(const int* count, int* offset, int blocks) {
  __shared__ int part[512];
  int chunk = (blocks + 511) / 512, from = threadIdx.x * chunk;
  int sum = 0;
  for (int i = from; i < from + chunk && i < blocks; i++)
    sum += count[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 1; d < 512; d <<= 1) {
    int v = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += v;
    __syncthreads();
  }
  int base = part[threadIdx.x] - sum;
  for (int i = from; i < from + chunk && i < blocks; i++) {
    offset[i] = base;
    base += count[i];
  }
  if (threadIdx.x == 511)
    offset[blocks] = part[511];
}

__global__ void writeSymbols(const short* coef, const int* offset, unsigned* out, int blocks) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < blocks)
    encodeBlock(coef + b * 64, out + offset[b]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 256;
  int w = (n < 16 ? 16 : n) / 8 * 8, h = w, bw = w / 8, bh = h / 8, blocks = bw * bh;
  std::vector<unsigned char> img(w * h);
  unsigned rng = 7;
  for (int i = 0; i < w * h; i++) {
    int x = i % w, y = i / w;
    rng = rng * 69069u + 1u;
    img[i] = (unsigned char)(128 + 60 * sin(x * 0.07) * cos(y * 0.045) +
                             ((x / 40 + y / 24) & 1) * 40 + (rng >> 28));
  }
  float cosines[64];
  for (int u = 0; u < 8; u++)
    for (int k = 0; k < 8; k++)
      cosines[u * 8 + k] =
          (float)((u ? 0.5 : sqrt(0.125)) * cos((2 * k + 1) * u * 3.14159265358979 / 16));
  int zig[64], pos = 0;
  for (int d = 0; d < 15; d++)
    for (int i = 0; i <= d; i++) {
      int y = d & 1 ? i : d - i, x = d - y;
      if (x < 8 && y < 8)
        zig[pos++] = y * 8 + x;
    }
  CHECK_ERR(cudaMemcpyToSymbol(c_quant, QTABLE, sizeof(QTABLE)));
  CHECK_ERR(cudaMemcpyToSymbol(c_zigzag, zig, sizeof(zig)));
  CHECK_ERR(cudaMemcpyToSymbol(c_cos, cosines, sizeof(cosines)));

  unsigned char* d_img;
  short* d_coef;
  int *d_count, *d_offset;
  unsigned* d_out;
  CHECK_ERR(cudaMalloc(&d_img, w * h));
  CHECK_ERR(cudaMalloc(&d_coef, w * h * sizeof(short)));
  CHECK_ERR(cudaMalloc(&d_count, blocks * sizeof(int)));
  CHECK_ERR(cudaMalloc(&d_offset, (blocks + 1) * sizeof(int)));
  CHECK_ERR(cudaMalloc(&d_out, blocks * 65 * sizeof(unsigned)));
  CHECK_ERR(cudaMemcpy(d_img, img.data(), w * h, cudaMemcpyHostToDevice));
  for (int rep = 0; rep < 3; rep++) {
    dct8x8<<<dim3(bw, bh), dim3(8, 8)>>>(d_img, d_coef, w);
    countSymbols<<<(blocks + 63) / 64, 64>>>(d_coef, d_count, blocks);
    scanCounts<<<1, 512>>>(d_count, d_offset, blocks);
    writeSymbols<<<(blocks + 63) / 64, 64>>>(d_coef, d_offset, d_out, blocks);
  }
  std::vector<short> coef(w * h);
  std::vector<int> offset(blocks + 1);
  CHECK_ERR(cudaMemcpy(coef.data(), d_coef, w * h * sizeof(short), cudaMemcpyDeviceToHost));
  CHECK_ERR(cudaMemcpy(offset.data(), d_offset, (blocks + 1) * 4, cudaMemcpyDeviceToHost));
  std::vector<unsigned> sym(offset[blocks] > blocks * 65 ? 1 : offset[blocks]);
  CHECK_ERR(cudaMemcpy(sym.data(), d_out, sym.size() * 4, cudaMemcpyDeviceToHost));

  // coefficients: rounding may be off by one now and then
  long off1 = 0, bad = 0;
  for (int b = 0; b < blocks; b++) {
    double t[64];
    int x0 = b % bw * 8, y0 = b / bw * 8;
    for (int y = 0; y < 8; y++)
      for (int u = 0; u < 8; u++) {
        double a = 0;
        for (int k = 0; k < 8; k++)
          a += cosines[u * 8 + k] * (img[(y0 + y) * w + x0 + k] - 128);
        t[y * 8 + u] = a;
      }
    for (int v = 0; v < 8; v++)
      for (int u = 0; u < 8; u++) {
        double a = 0;
        for (int k = 0; k < 8; k++)
          a += cosines[v * 8 + k] * t[k * 8 + u];
        int d = abs((int)rint(a / QTABLE[v * 8 + u]) - coef[b * 64 + v * 8 + u]);
        off1 += d == 1;
        bad += d > 1;
      }
    // the symbols must unroll to the very same coefficients
    int at = 0;
    short back[64] = {0};
    int i = offset[b];
    for (; i < (int)sym.size() && sym[i] != 0xffff0000u; i++) {
      at += sym[i] >> 16;
      if (at > 63) {
        bad++;
        break;
      }
      back[zig[at++]] = (short)(sym[i] & 0xffff);
    }
    bad += i + 1 != offset[b + 1];
    for (int k = 0; k < 64; k++)
      bad += back[k] != coef[b * 64 + k];
  }
  printf("%d symbols for %d pixels, %ld roundings differ\n", offset[blocks], w * h, off1);
  if (bad || off1 > w * h / 1000) {
    printf("FAIL %ld wrong\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
