// SPDX-License-Identifier: Apache-2.0
// FDTD of a 2D TM electromagnetic field with a lossy border layer and a dielectric disc.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE(x)                                                                                  \
  if (cudaError_t err = (x)) {                                                                     \
    printf("FAIL %s: %s\n", #x, cudaGetErrorString(err));                                          \
    return 1;                                                                                      \
  }

const int TILE_X = 32;
const int TILE_Y = 8;
const int STEPS = 12;

template <typename T> struct Fields {
  T *ez, *hx, *hy, *ca, *cb;
  int w, h;
};

template <typename T> __global__ void updateH(Fields<T> f, T k) {
  int x = blockIdx.x * TILE_X + threadIdx.x;
  int y = blockIdx.y * TILE_Y + threadIdx.y;
  // tile of Ez with one extra row and column
  __shared__ T tile[TILE_Y + 1][TILE_X + 1];
  if (x < f.w && y < f.h)
    tile[threadIdx.y][threadIdx.x] = f.ez[y * f.w + x];
  if (threadIdx.x == TILE_X - 1 && x + 1 < f.w && y < f.h)
    tile[threadIdx.y][TILE_X] = f.ez[y * f.w + x + 1];
  if (threadIdx.y == TILE_Y - 1 && y + 1 < f.h && x < f.w)
    tile[TILE_Y][threadIdx.x] = f.ez[(y + 1) * f.w + x];
  __syncthreads();
  if (x >= f.w || y >= f.h)
    return;
  int id = y * f.w + x;
  if (y + 1 < f.h)
    f.hx[id] -= k * (tile[threadIdx.y + 1][threadIdx.x] - tile[threadIdx.y][threadIdx.x]);
  if (x + 1 < f.w)
    f.hy[id] += k * (tile[threadIdx.y][threadIdx.x + 1] - tile[threadIdx.y][threadIdx.x]);
}

template <typename T> __global__ void updateE(Fields<T> f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= f.w || y >= f.h)
    return;
  int id = y * f.w + x;
  f.ez[id] = f.ca[id] * f.ez[id] + f.cb[id] * (f.hy[id] - f.hy[id - 1] - f.hx[id] + f.hx[id - f.w]);
}

template <typename T> __global__ void lineSource(Fields<T> f, T value) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y > f.h / 4 && y < 3 * f.h / 4)
    f.ez[y * f.w + f.w / 8] += value;
}

template <typename T> __global__ void materials(Fields<T> f, int layer) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= f.h)
    return;
  for (int x = 0; x < f.w; x++) {
    int d = x;
    if (f.w - 1 - x < d)
      d = f.w - 1 - x;
    if (y < d)
      d = y;
    if (f.h - 1 - y < d)
      d = f.h - 1 - y;
    T loss = 0;
    if (d < layer) {
      T r = (T)(layer - d) / layer;
      loss = (T)0.3 * r * r * r;
    }
    T dx = x - (T)0.6 * f.w, dy = y - (T)0.5 * f.h;
    T eps = dx * dx + dy * dy < (T)(0.04) * f.w * f.w ? 4 : 1;
    f.ca[y * f.w + x] = (1 - loss) / (1 + loss);
    f.cb[y * f.w + x] = (T)0.5 / (eps * (1 + loss));
  }
}

int main(int argc, char** argv) {
  typedef float T;
  int w = argc > 1 ? atoi(argv[1]) : 200;
  int h = w - w / 8;
  size_t n = (size_t)w * h;
  Fields<T> f;
  f.w = w;
  f.h = h;
  T** all[5] = {&f.ez, &f.hx, &f.hy, &f.ca, &f.cb};
  for (auto p : all) {
    HANDLE(cudaMalloc(p, n * sizeof(T)));
    HANDLE(cudaMemset(*p, 0, n * sizeof(T)));
  }
  dim3 block(TILE_X, TILE_Y), grid((w + TILE_X - 1) / TILE_X, (h + TILE_Y - 1) / TILE_Y);
  materials<T><<<(h + 63) / 64, 64>>>(f, 12);
  HANDLE(cudaGetLastError());
  T source[STEPS];
  for (int t = 0; t < STEPS; t++)
    source[t] = std::sin(0.4 * t) * std::exp(-0.02 * (t - 6) * (t - 6));
  for (int t = 0; t < STEPS; t++) {
    updateH<T><<<grid, block>>>(f, (T)0.5);
    updateE<T><<<grid, block>>>(f);
    lineSource<T><<<(h + 127) / 128, 128>>>(f, source[t]);
  }
  HANDLE(cudaDeviceSynchronize());
  std::vector<T> ez(n), ca(n), cb(n), hx(n);
  HANDLE(cudaMemcpy(ez.data(), f.ez, n * sizeof(T), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(hx.data(), f.hx, n * sizeof(T), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(ca.data(), f.ca, n * sizeof(T), cudaMemcpyDeviceToHost));
  HANDLE(cudaMemcpy(cb.data(), f.cb, n * sizeof(T), cudaMemcpyDeviceToHost));

  // Reference with the device's material tables; the tables get checked at a few points.
  std::vector<T> e(n, 0), rx(n, 0), ry(n, 0);
  for (int t = 0; t < STEPS; t++) {
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        size_t id = (size_t)y * w + x;
        if (y + 1 < h)
          rx[id] -= 0.5f * (e[id + w] - e[id]);
        if (x + 1 < w)
          ry[id] += 0.5f * (e[id + 1] - e[id]);
      }
    for (int y = 1; y < h; y++)
      for (int x = 1; x < w; x++) {
        size_t id = (size_t)y * w + x;
        e[id] = ca[id] * e[id] + cb[id] * (ry[id] - ry[id - 1] - rx[id] + rx[id - w]);
      }
    for (int y = h / 4 + 1; y < h && y < 3 * h / 4; y++)
      e[(size_t)y * w + w / 8] += source[t];
  }
  double bad = 0, power = 0;
  for (size_t i = 0; i < n; i++) {
    double d = std::fabs(e[i] - ez[i]) + std::fabs(rx[i] - hx[i]);
    if (!(d <= bad))
      bad = d;
    power += (double)ez[i] * ez[i];
  }
  size_t centre = (size_t)(h / 2) * w + (size_t)(0.6 * w);
  bool tables = std::fabs(cb[centre] - 0.125f) < 1e-6 && std::fabs(ca[centre] - 1) < 1e-6 &&
                std::fabs(ca[0] - 0.7f / 1.3f) < 1e-5;
  printf("power %.6g\n", power);
  if (!(bad < 1e-4) || !tables || !(power > 0)) {
    printf("FAIL difference %g tables %d\n", bad, (int)tables);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
