// SPDX-License-Identifier: Apache-2.0
// Blends two pictures along a soft mask with Gaussian and Laplacian pyramids and collapses the
// result.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t e_ = (call);                                                                       \
    if (e_ != cudaSuccess) {                                                                       \
      printf("FAIL cuda error %s at line %d\n", cudaGetErrorString(e_), __LINE__);                 \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static const int LEVELS = 4;

__constant__ float c_w[5];
static const float h_w[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__host__ __device__ inline int clampi(int v, int hi) {
  return v < 0 ? 0 : (v > hi ? hi : v);
}

// 5x5 smoothing and decimation in one go, every thread reads its 25 pixels
__global__ void pyrDown(const float* src, int sw, int sh, float* dst, int dw, int dh) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dw || y >= dh)
    return;
  float acc = 0.0f;
  for (int j = -2; j <= 2; j++) {
    int yy = clampi(2 * y + j, sh - 1);
    float row = 0.0f;
    for (int i = -2; i <= 2; i++)
      row += c_w[i + 2] * src[yy * sw + clampi(2 * x + i, sw - 1)];
    acc += c_w[j + 2] * row;
  }
  dst[y * dw + x] = acc;
}

__device__ float expandAt(const float* src, int sw, int sh, int x, int y) {
  float acc = 0.0f;
  for (int j = -2; j <= 2; j++) {
    if ((y + j) & 1)
      continue;
    int yy = clampi((y + j) / 2, sh - 1);
    for (int i = -2; i <= 2; i++) {
      if ((x + i) & 1)
        continue;
      acc += c_w[i + 2] * c_w[j + 2] * src[yy * sw + clampi((x + i) / 2, sw - 1)];
    }
  }
  return 4.0f * acc;
}

// fine += sign * expand(coarse)
__global__ void expandAdd(const float* coarse, int cw, int ch, float* fine, int w, int h,
                          float sign) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    fine[y * w + x] += sign * expandAt(coarse, cw, ch, x, y);
}

__global__ void blendLevel(const float* a, const float* b, const float* m, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = m[i] * a[i] + (1.0f - m[i]) * b[i];
}

struct Pyramid {
  int w[LEVELS], h[LEVELS];
  float* d[LEVELS];
  void create(int n) {
    for (int l = 0; l < LEVELS; l++) {
      w[l] = l ? (w[l - 1] + 1) / 2 : n;
      h[l] = l ? (h[l - 1] + 1) / 2 : n;
      CHECK(cudaMalloc(&d[l], sizeof(float) * w[l] * h[l]));
    }
  }
  void build(const std::vector<float>& img) {
    CHECK(cudaMemcpy(d[0], img.data(), img.size() * sizeof(float), cudaMemcpyHostToDevice));
    dim3 b(16, 16);
    for (int l = 1; l < LEVELS; l++) {
      dim3 g((w[l] + 15) / 16, (h[l] + 15) / 16);
      pyrDown<<<g, b>>>(d[l - 1], w[l - 1], h[l - 1], d[l], w[l], h[l]);
    }
  }
  void toLaplacian() {
    dim3 b(32, 8);
    for (int l = 0; l + 1 < LEVELS; l++) {
      dim3 g((w[l] + 31) / 32, (h[l] + 7) / 8);
      expandAdd<<<g, b>>>(d[l + 1], w[l + 1], h[l + 1], d[l], w[l], h[l], -1.0f);
    }
  }
  void release() {
    for (int l = 0; l < LEVELS; l++)
      cudaFree(d[l]);
  }
};

// ---- host reference -----------------------------------------------------------------------------
typedef std::vector<float> Img;

static Img hostDown(const Img& s, int sw, int sh, int dw, int dh) {
  Img tmp(dw * sh), d(dw * dh);
  for (int y = 0; y < sh; y++)
    for (int x = 0; x < dw; x++) {
      float r = 0;
      for (int i = -2; i <= 2; i++)
        r += h_w[i + 2] * s[y * sw + clampi(2 * x + i, sw - 1)];
      tmp[y * dw + x] = r;
    }
  for (int y = 0; y < dh; y++)
    for (int x = 0; x < dw; x++) {
      float r = 0;
      for (int j = -2; j <= 2; j++)
        r += h_w[j + 2] * tmp[clampi(2 * y + j, sh - 1) * dw + x];
      d[y * dw + x] = r;
    }
  return d;
}

static void hostExpandAdd(const Img& c, int cw, int ch, Img& f, int w, int h, float sign) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float acc = 0;
      for (int j = -(y & 1 ? 1 : 2); j <= 2; j += 2)
        for (int i = -(x & 1 ? 1 : 2); i <= 2; i += 2)
          acc += h_w[i + 2] * h_w[j + 2] *
                 c[clampi((y + j) / 2, ch - 1) * cw + clampi((x + i) / 2, cw - 1)];
      f[y * w + x] += sign * 4.0f * acc;
    }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 256;
  if (n < 32)
    n = 32;
  Img a(n * n), b(n * n), m(n * n);
  unsigned seed = 12345u;
  for (int i = 0; i < n * n; i++) {
    int x = i % n, y = i / n;
    seed = seed * 1664525u + 1013904223u;
    a[i] = 0.5f + 0.4f * sinf(x * 0.05f) * cosf(y * 0.03f) + (seed >> 24) / 2560.0f;
    b[i] = ((x / 13 + y / 17) & 1) * 0.7f + (seed >> 16 & 255) / 2560.0f;
    m[i] = x < n / 2 ? 1.0f : 0.0f;
  }
  CHECK(cudaMemcpyToSymbol(c_w, h_w, sizeof(h_w)));

  Pyramid pa, pb, pm, out;
  pa.create(n), pb.create(n), pm.create(n), out.create(n);
  pa.build(a), pb.build(b), pm.build(m);
  pa.toLaplacian(), pb.toLaplacian();
  for (int l = 0; l < LEVELS; l++) {
    int count = out.w[l] * out.h[l];
    blendLevel<<<(count + 255) / 256, 256>>>(pa.d[l], pb.d[l], pm.d[l], out.d[l], count);
  }
  for (int l = LEVELS - 2; l >= 0; l--) {
    dim3 blk(32, 8), g((out.w[l] + 31) / 32, (out.h[l] + 7) / 8);
    expandAdd<<<g, blk>>>(out.d[l + 1], out.w[l + 1], out.h[l + 1], out.d[l], out.w[l], out.h[l],
                          1.0f);
  }
  CHECK(cudaGetLastError());
  Img got(n * n);
  CHECK(cudaMemcpy(got.data(), out.d[0], got.size() * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<Img> A(1, a), B(1, b), M(1, m), O(LEVELS);
  for (int l = 1; l < LEVELS; l++) {
    A.push_back(hostDown(A[l - 1], pa.w[l - 1], pa.h[l - 1], pa.w[l], pa.h[l]));
    B.push_back(hostDown(B[l - 1], pa.w[l - 1], pa.h[l - 1], pa.w[l], pa.h[l]));
    M.push_back(hostDown(M[l - 1], pa.w[l - 1], pa.h[l - 1], pa.w[l], pa.h[l]));
  }
  for (int l = 0; l < LEVELS; l++) {
    if (l + 1 < LEVELS) {
      hostExpandAdd(A[l + 1], pa.w[l + 1], pa.h[l + 1], A[l], pa.w[l], pa.h[l], -1.0f);
      hostExpandAdd(B[l + 1], pa.w[l + 1], pa.h[l + 1], B[l], pa.w[l], pa.h[l], -1.0f);
    }
    O[l].resize(A[l].size());
    for (size_t i = 0; i < A[l].size(); i++)
      O[l][i] = M[l][i] * A[l][i] + (1.0f - M[l][i]) * B[l][i];
  }
  for (int l = LEVELS - 2; l >= 0; l--)
    hostExpandAdd(O[l + 1], pa.w[l + 1], pa.h[l + 1], O[l], pa.w[l], pa.h[l], 1.0f);

  double worst = 0, sum = 0;
  for (int i = 0; i < n * n; i++) {
    worst = fmax(worst, fabs(got[i] - O[0][i]));
    sum += got[i];
  }
  pa.release(), pb.release(), pm.release(), out.release();
  printf("mean %.5f worst %.3g\n", sum / (n * n), worst);
  if (!(worst < 1e-4)) {
    printf("FAIL blended picture differs\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
