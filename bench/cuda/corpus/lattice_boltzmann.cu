// SPDX-License-Identifier: Apache-2.0
// Flow past a block by the lattice Boltzmann method with nine velocities.
#include "common.h"

__host__ __device__ void updateCell(const float* in, float* out, const unsigned char* solid, int x,
                                    int y, int w, int h) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const float weight[9] = {4 / 9.0f,  1 / 9.0f,  1 / 9.0f,  1 / 9.0f, 1 / 9.0f,
                           1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
  int cells = w * h, at = y * w + x;
  if (solid[at])
    return;
  float f[9], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    int from = (y - cy[k] + h) % h * w + (x - cx[k] + w) % w;
    f[k] = solid[from] ? in[back[k] * cells + at] : in[k * cells + from];
    rho += f[k];
    ux += f[k] * cx[k];
    uy += f[k] * cy[k];
  }
  ux = ux / rho + 1e-4f;
  uy /= rho;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; ++k) {
    float along = 3 * (cx[k] * ux + cy[k] * uy);
    float wanted = weight[k] * rho * (1 + along + 0.5f * along * along - square);
    out[k * cells + at] = f[k] + 1.2f * (wanted - f[k]);
  }
}

__global__ void streamCollide(const float* in, float* out, const unsigned char* solid, int w,
                              int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    updateCell(in, out, solid, x, y, w, h);
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 64), h = w / 2, cells = w * h;
  std::vector<float> f(9 * cells), next;
  std::vector<unsigned char> solid(cells);
  for (int i = 0; i < cells; ++i) {
    int x = i % w, y = i / w;
    solid[i] = y == 0 || y == h - 1 || (x > w / 4 && x < w / 3 && y > h / 3 && y < h / 2);
    for (int k = 0; k < 9; ++k)
      f[k * cells + i] = (k == 0 ? 4 / 9.0f : k < 5 ? 1 / 9.0f : 1 / 36.0f);
  }
  next = f;
  float *a = upload(f), *b = upload(f);
  unsigned char* s = upload(solid);
  for (int step = 0; step < 3; ++step) {
    streamCollide<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(a, b, s, w, h);
    std::swap(a, b);
    for (int i = 0; i < cells; ++i)
      updateCell(f.data(), next.data(), solid.data(), i % w, i / w, w, h);
    std::swap(f, next);
  }
  return verdict(allNear(download(a, 9 * cells), f, 1e-4));
}
