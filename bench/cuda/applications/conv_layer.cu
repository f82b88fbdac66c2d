// SPDX-License-Identifier: Apache-2.0
// Forward pass of a 3x3 convolution layer, once directly and once by im2col and a tiled matrix
// product, with bias and leaky ReLU.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

using std::vector;

struct Shape {
  int n, c, h, w, k; // images, input channels, height, width, output channels
};

#define GPU_CALL(f)                                                                                \
  {                                                                                                \
    cudaError_t r = f;                                                                             \
    if (r != cudaSuccess) {                                                                        \
      std::cerr << #f << " gave " << cudaGetErrorName(r) << "\n";                                  \
      std::cout << "FAIL\n";                                                                       \
      std::exit(1);                                                                                \
    }                                                                                              \
  }

// straight: a thread for each output value
__global__ void convDirect(const float* in, const float* weight, float* out, Shape s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int img = blockIdx.z / s.k, k = blockIdx.z % s.k;
  if (x >= s.w || y >= s.h)
    return;
  float sum = 0;
  for (int c = 0; c < s.c; c++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) {
        int yy = y + j - 1, xx = x + i - 1;
        if (yy >= 0 && yy < s.h && xx >= 0 && xx < s.w)
          sum +=
              in[((img * s.c + c) * s.h + yy) * s.w + xx] * weight[((k * s.c + c) * 3 + j) * 3 + i];
      }
  out[((img * s.k + k) * s.h + y) * s.w + x] = sum;
}

// one image becomes a matrix of c*9 rows and h*w columns
__global__ void im2col(const float* in, float* col, Shape s) {
  int total = s.c * s.h * s.w;
  for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < total;
       idx += blockDim.x * gridDim.x) {
    int x = idx % s.w, y = idx / s.w % s.h, c = idx / (s.w * s.h);
    float* p = col + (size_t)c * 9 * s.h * s.w + y * s.w + x;
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
        int yy = y + j, xx = x + i;
        bool inside = yy >= 0 && yy < s.h && xx >= 0 && xx < s.w;
        *p = inside ? in[(c * s.h + yy) * s.w + xx] : 0.f;
        p += s.h * s.w;
      }
  }
}

// C[m][n] = A[m][k] B[k][n]; a block of 256 threads makes 32 x 64 values, eight to a thread
__global__ void gemm(const float* __restrict__ A, const float* __restrict__ B,
                     float* __restrict__ C, int m, int n, int k) {
  __shared__ float as[16][33], bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int row0 = blockIdx.y * 32, col0 = blockIdx.x * 64;
  float acc[2][4] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int t = threadIdx.x; t < 32 * 16; t += 256) {
      int r = t / 16, q = t % 16;
      as[q][r] = row0 + r < m && k0 + q < k ? A[(row0 + r) * k + k0 + q] : 0.f;
    }
    for (int t = threadIdx.x; t < 16 * 64; t += 256) {
      int q = t / 64, c = t % 64;
      bs[q][c] = k0 + q < k && col0 + c < n ? B[(k0 + q) * n + col0 + c] : 0.f;
    }
    __syncthreads();
    for (int q = 0; q < 16; q++) {
      float a0 = as[q][ty], a1 = as[q][ty + 16];
#pragma unroll
      for (int c = 0; c < 4; c++) {
        acc[0][c] += a0 * bs[q][tx + 16 * c];
        acc[1][c] += a1 * bs[q][tx + 16 * c];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 4; c++) {
      int row = row0 + ty + 16 * r, col = col0 + tx + 16 * c;
      if (row < m && col < n)
        C[row * n + col] = acc[r][c];
    }
}

__global__ void biasLeaky(float* out, const float* bias, Shape s, double slope) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n * s.k * s.h * s.w)
    return;
  float v = out[i] + bias[i / (s.h * s.w) % s.k];
  out[i] = v > 0 ? v : v * slope;
}

int main(int argc, char** argv) {
  int size = argc > 1 ? std::atoi(argv[1]) : 24;
  if (size < 4)
    size = 4;
  Shape s{2, 16, size, size, 32};
  const int inCount = s.n * s.c * s.h * s.w, wCount = s.k * s.c * 9,
            outCount = s.n * s.k * s.h * s.w;
  vector<float> in(inCount), weight(wCount), bias(s.k), a(outCount), b(outCount);
  unsigned lcg = 1;
  auto next = [&lcg]() {
    lcg = lcg * 22695477u + 1u;
    return (lcg >> 16) / 32768.0f - 1.0f;
  };
  for (float& v : in)
    v = next();
  for (float& v : weight)
    v = 0.3f * next();
  for (float& v : bias)
    v = next();

  float *dIn, *dW, *dBias, *dOut, *dOut2, *dCol;
  GPU_CALL(cudaMalloc(&dIn, inCount * sizeof(float)));
  GPU_CALL(cudaMalloc(&dW, wCount * sizeof(float)));
  GPU_CALL(cudaMalloc(&dBias, s.k * sizeof(float)));
  GPU_CALL(cudaMalloc(&dOut, outCount * sizeof(float)));
  GPU_CALL(cudaMalloc(&dOut2, outCount * sizeof(float)));
  GPU_CALL(cudaMalloc(&dCol, sizeof(float) * s.c * 9 * s.h * s.w));
  GPU_CALL(cudaMemcpy(dIn, in.data(), inCount * sizeof(float), cudaMemcpyHostToDevice));
  GPU_CALL(cudaMemcpy(dW, weight.data(), wCount * sizeof(float), cudaMemcpyHostToDevice));
  GPU_CALL(cudaMemcpy(dBias, bias.data(), s.k * sizeof(float), cudaMemcpyHostToDevice));

  convDirect<<<dim3((s.w + 15) / 16, (s.h + 15) / 16, s.n * s.k), dim3(16, 16)>>>(dIn, dW, dOut, s);
  const int plane = s.h * s.w;
  for (int img = 0; img < s.n; img++) {
    im2col<<<(s.c * plane + 255) / 256, 256>>>(dIn + img * s.c * plane, dCol, s);
    gemm<<<dim3((plane + 63) / 64, (s.k + 31) / 32), 256>>>(dW, dCol, dOut2 + img * s.k * plane,
                                                            s.k, plane, s.c * 9);
  }
  biasLeaky<<<(outCount + 255) / 256, 256>>>(dOut, dBias, s, 0.1);
  biasLeaky<<<(outCount + 255) / 256, 256>>>(dOut2, dBias, s, 0.1);
  GPU_CALL(cudaDeviceSynchronize());
  GPU_CALL(cudaMemcpy(a.data(), dOut, outCount * sizeof(float), cudaMemcpyDeviceToHost));
  GPU_CALL(cudaMemcpy(b.data(), dOut2, outCount * sizeof(float), cudaMemcpyDeviceToHost));

  double worst = 0, sum = 0;
  vector<float> acc(plane);
  for (int img = 0; img < s.n; img++)
    for (int k = 0; k < s.k; k++) {
      std::fill(acc.begin(), acc.end(), bias[k]);
      for (int c = 0; c < s.c; c++)
        for (int t = 0; t < 9; t++) {
          float wgt = weight[(k * s.c + c) * 9 + t];
          int dy = t / 3 - 1, dx = t % 3 - 1;
          for (int y = dy < 0; y < s.h - (dy > 0); y++)
            for (int x = dx < 0; x < s.w - (dx > 0); x++)
              acc[y * s.w + x] += wgt * in[((img * s.c + c) * s.h + y + dy) * s.w + x + dx];
        }
      for (int i = 0; i < plane; i++) {
        float want = acc[i] > 0 ? acc[i] : 0.1f * acc[i];
        int o = (img * s.k + k) * plane + i;
        worst = std::fmax(worst, std::fmax(std::fabs(want - a[o]), std::fabs(want - b[o])));
        sum += b[o];
      }
    }
  std::cout << "sum " << sum << " worst " << worst << "\n";
  bool ok = worst < 1e-3;
  std::cout << (ok ? "PASS" : "FAIL convolution differs") << std::endl;
  return ok ? 0 : 1;
}
