// SPDX-License-Identifier: Apache-2.0
// Determinants and inverses of many 4x4 matrices in two memory layouts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  float m[16];
} Mat4;

static void die(const char* msg) {
  printf("FAIL %s\n", msg);
  exit(1);
}
#define C(x)                                                                                       \
  do {                                                                                             \
    cudaError_t e__ = x;                                                                           \
    if (e__ != cudaSuccess)                                                                        \
      die(cudaGetErrorString(e__));                                                                \
  } while (0)

__global__ void make_matrices(Mat4* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned s = i * 2654435761u + 12345u;
  for (int k = 0; k < 16; k++) {
    s = s * 1664525u + 1013904223u;
    a[i].m[k] = (float)(s >> 8) / 16777216.0f - 0.5f;
    if (k % 5 == 0)
      a[i].m[k] += 2.5f;
  }
}

__global__ void determinant(const Mat4* a, float* det, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float* m = a[i].m;
  float d = 0;
  for (int c = 0; c < 4; c++) {
    int q[3], k = 0;
    for (int j = 0; j < 4; j++)
      if (j != c)
        q[k++] = j;
    float minor = m[4 + q[0]] * (m[8 + q[1]] * m[12 + q[2]] - m[8 + q[2]] * m[12 + q[1]]) -
                  m[4 + q[1]] * (m[8 + q[0]] * m[12 + q[2]] - m[8 + q[2]] * m[12 + q[0]]) +
                  m[4 + q[2]] * (m[8 + q[0]] * m[12 + q[1]] - m[8 + q[1]] * m[12 + q[0]]);
    d += (c & 1 ? -1.0f : 1.0f) * m[c] * minor;
  }
  det[i] = d;
}

/* Gauss-Jordan with row pivoting; the small array ends in local memory */
__global__ void invert_gauss(const Mat4* a, Mat4* inv, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float w[4][8];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) {
      w[r][c] = a[i].m[4 * r + c];
      w[r][c + 4] = r == c ? 1.0f : 0.0f;
    }
  for (int p = 0; p < 4; p++) {
    int best = p;
    for (int r = p + 1; r < 4; r++)
      if (fabsf(w[r][p]) > fabsf(w[best][p]))
        best = r;
    if (best != p)
      for (int c = 0; c < 8; c++) {
        float t = w[p][c];
        w[p][c] = w[best][c];
        w[best][c] = t;
      }
    float f = 1.0f / w[p][p];
    for (int c = 0; c < 8; c++)
      w[p][c] *= f;
    for (int r = 0; r < 4; r++)
      if (r != p) {
        float g = w[r][p];
        for (int c = 0; c < 8; c++)
          w[r][c] -= g * w[p][c];
      }
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      inv[i].m[4 * r + c] = w[r][c + 4];
}

__global__ void to_components(const Mat4* a, float* soa, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * 16)
    soa[(i % 16) * n + i / 16] = a[i / 16].m[i % 16];
}

/* adjugate by 2x2 sub-determinants, components apart */
__global__ void invert_components(const float* __restrict__ s, float* __restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#define A(r, c) s[((r) * 4 + (c)) * n + i]
  float a00 = A(0, 0), a01 = A(0, 1), a02 = A(0, 2), a03 = A(0, 3);
  float a10 = A(1, 0), a11 = A(1, 1), a12 = A(1, 2), a13 = A(1, 3);
  float a20 = A(2, 0), a21 = A(2, 1), a22 = A(2, 2), a23 = A(2, 3);
  float a30 = A(3, 0), a31 = A(3, 1), a32 = A(3, 2), a33 = A(3, 3);
  float s0 = a00 * a11 - a10 * a01, s1 = a00 * a12 - a10 * a02, s2 = a00 * a13 - a10 * a03;
  float s3 = a01 * a12 - a11 * a02, s4 = a01 * a13 - a11 * a03, s5 = a02 * a13 - a12 * a03;
  float c5 = a22 * a33 - a32 * a23, c4 = a21 * a33 - a31 * a23, c3 = a21 * a32 - a31 * a22;
  float c2 = a20 * a33 - a30 * a23, c1 = a20 * a32 - a30 * a22, c0 = a20 * a31 - a30 * a21;
  float f = 1.0f / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
#define O(r, c) o[((r) * 4 + (c)) * n + i]
  O(0, 0) = (a11 * c5 - a12 * c4 + a13 * c3) * f;
  O(0, 1) = (-a01 * c5 + a02 * c4 - a03 * c3) * f;
  O(0, 2) = (a31 * s5 - a32 * s4 + a33 * s3) * f;
  O(0, 3) = (-a21 * s5 + a22 * s4 - a23 * s3) * f;
  O(1, 0) = (-a10 * c5 + a12 * c2 - a13 * c1) * f;
  O(1, 1) = (a00 * c5 - a02 * c2 + a03 * c1) * f;
  O(1, 2) = (-a30 * s5 + a32 * s2 - a33 * s1) * f;
  O(1, 3) = (a20 * s5 - a22 * s2 + a23 * s1) * f;
  O(2, 0) = (a10 * c4 - a11 * c2 + a13 * c0) * f;
  O(2, 1) = (-a00 * c4 + a01 * c2 - a03 * c0) * f;
  O(2, 2) = (a30 * s4 - a31 * s2 + a33 * s0) * f;
  O(2, 3) = (-a20 * s4 + a21 * s2 - a23 * s0) * f;
  O(3, 0) = (-a10 * c3 + a11 * c1 - a12 * c0) * f;
  O(3, 1) = (a00 * c3 - a01 * c1 + a02 * c0) * f;
  O(3, 2) = (-a30 * s3 + a31 * s1 - a32 * s0) * f;
  O(3, 3) = (a20 * s3 - a21 * s1 + a22 * s0) * f;
}

/* largest deviation of A * inverse from the identity, as bits of a non-negative float */
__global__ void product_error(const Mat4* a, const Mat4* inv, const float* soa, unsigned* worst,
                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float e = 0;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) {
      float p = r == c ? -1.0f : 0.0f, q = p;
      for (int k = 0; k < 4; k++) {
        p += a[i].m[4 * r + k] * inv[i].m[4 * k + c];
        q += a[i].m[4 * r + k] * soa[(4 * k + c) * n + i];
      }
      e = fmaxf(e, fmaxf(fabsf(p), fabsf(q)));
    }
  atomicMax(worst, __float_as_uint(e));
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  const int threads = 192, blocks = (n + threads - 1) / threads;
  Mat4 *a, *inv;
  float *soa, *out, *det;
  unsigned* worst;
  C(cudaMalloc((void**)&a, n * sizeof(Mat4)));
  C(cudaMalloc((void**)&inv, n * sizeof(Mat4)));
  C(cudaMalloc((void**)&soa, n * sizeof(Mat4)));
  C(cudaMalloc((void**)&out, n * sizeof(Mat4)));
  C(cudaMalloc((void**)&det, n * sizeof(float)));
  C(cudaMalloc((void**)&worst, sizeof(unsigned)));
  C(cudaMemset(worst, 0, sizeof(unsigned)));
  make_matrices<<<blocks, threads>>>(a, n);
  for (int rep = 0; rep < 2; rep++) {
    determinant<<<blocks, threads>>>(a, det, n);
    invert_gauss<<<blocks, threads>>>(a, inv, n);
    to_components<<<(16 * n + 255) / 256, 256>>>(a, soa, n);
    invert_components<<<blocks, threads>>>(soa, out, n);
    product_error<<<blocks, threads>>>(a, inv, out, worst, n);
  }
  C(cudaDeviceSynchronize());
  unsigned bits;
  C(cudaMemcpy(&bits, worst, sizeof bits, cudaMemcpyDeviceToHost));
  float dev;
  memcpy(&dev, &bits, sizeof dev);
  Mat4* ha = (Mat4*)malloc(n * sizeof(Mat4));
  Mat4* hi = (Mat4*)malloc(n * sizeof(Mat4));
  float* hd = (float*)malloc(n * sizeof(float));
  C(cudaMemcpy(ha, a, n * sizeof(Mat4), cudaMemcpyDeviceToHost));
  C(cudaMemcpy(hi, inv, n * sizeof(Mat4), cudaMemcpyDeviceToHost));
  C(cudaMemcpy(hd, det, n * sizeof(float), cudaMemcpyDeviceToHost));
  /* the host repeats the determinant by elimination and one product per matrix */
  double bad = 0, bad2 = 0;
  for (int i = 0; i < n; i++) {
    double w[16], d = 1;
    for (int k = 0; k < 16; k++)
      w[k] = ha[i].m[k];
    for (int p = 0; p < 4; p++) {
      d *= w[5 * p];
      for (int r = p + 1; r < 4; r++) {
        double g = w[4 * r + p] / w[5 * p];
        for (int c = p; c < 4; c++)
          w[4 * r + c] -= g * w[4 * p + c];
      }
    }
    double e = fabs(d - hd[i]) / (1 + fabs(d));
    if (!(e <= bad))
      bad = e;
    int r = i % 4, c = (i / 4) % 4;
    double s = r == c ? -1 : 0;
    for (int k = 0; k < 4; k++)
      s += (double)ha[i].m[4 * r + k] * hi[i].m[4 * k + c];
    if (!(fabs(s) <= bad2))
      bad2 = fabs(s);
  }
  if (!(bad < 1e-3) || !(dev < 1e-4f) || !(bad2 < 1e-4)) {
    printf("FAIL determinants %g products %g %g\n", bad, dev, bad2);
    return 1;
  }
  printf("PASS (%g %g)\n", bad, dev);
  return 0;
}
