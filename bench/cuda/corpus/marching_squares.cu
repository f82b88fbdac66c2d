// SPDX-License-Identifier: Apache-2.0
// Marching squares: the line segments of a field's contour, appended with an atomic counter.
#include "common.h"

__host__ __device__ float part(float a, float b) {
  return a / (a - b);
}

__host__ __device__ int contour(const float* field, int x, int y, int n, float4* segments) {
  float a = field[y * n + x], b = field[y * n + x + 1], c = field[(y + 1) * n + x + 1],
        d = field[(y + 1) * n + x];
  int kind = (a > 0) | (b > 0) << 1 | (c > 0) << 2 | (d > 0) << 3;
  float top = part(a, b), right = part(b, c), bottom = part(d, c), left = part(a, d);
  switch (kind) {
  case 0:
  case 15:
    return 0;
  case 1:
  case 14:
    segments[0] = make_float4(x, y + left, x + top, y);
    return 1;
  case 2:
  case 13:
    segments[0] = make_float4(x + top, y, x + 1, y + right);
    return 1;
  case 3:
  case 12:
    segments[0] = make_float4(x, y + left, x + 1, y + right);
    return 1;
  case 4:
  case 11:
    segments[0] = make_float4(x + 1, y + right, x + bottom, y + 1);
    return 1;
  case 6:
  case 9:
    segments[0] = make_float4(x + top, y, x + bottom, y + 1);
    return 1;
  case 7:
  case 8:
    segments[0] = make_float4(x, y + left, x + bottom, y + 1);
    return 1;
  default:
    segments[0] = make_float4(x, y + left, x + top, y);
    segments[1] = make_float4(x + 1, y + right, x + bottom, y + 1);
    return 2;
  }
}

__global__ void marchCells(const float* field, int n, float4* out, int* count) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - 1 || y >= n - 1)
    return;
  float4 mine[2];
  int found = contour(field, x, y, n, mine);
  if (found == 0)
    return;
  int at = atomicAdd(count, found);
  for (int k = 0; k < found; ++k)
    out[at + k] = mine[k];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 96), want = 0;
  std::vector<float> field(n * n);
  for (int i = 0; i < n * n; ++i)
    field[i] =
        sinf(i % n * 0.21f) * cosf(i / n * 0.17f) + 0.3f * sinf((i % n + i / n) * 0.5f) + 0.01f;
  float4* out = allocate<float4>(2 * n * n);
  int* count = allocate<int>(1);
  marchCells<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(upload(field), n, out, count);
  int found = download(count, 1)[0];
  double sum = 0, wantSum = 0;
  for (float4 s : download(out, found))
    sum += s.x + 2 * s.y + 3 * s.z + 4 * s.w;
  for (int y = 0; y < n - 1; ++y)
    for (int x = 0; x < n - 1; ++x) {
      float4 s[2];
      int mine = contour(field.data(), x, y, n, s);
      for (int k = 0; k < mine; ++k)
        wantSum += s[k].x + 2 * s[k].y + 3 * s[k].z + 4 * s[k].w;
      want += mine;
    }
  printf("%d segments\n", found);
  return verdict(found == want && near(sum, wantSum, 1e-5));
}
