// SPDX-License-Identifier: Apache-2.0
// Poisson equation by red-black SOR on swapped grids, threads along the slow index.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define SAFE(c)                                                                                    \
  if ((c) != cudaSuccess) {                                                                        \
    puts("FAIL cuda");                                                                             \
    exit(1);                                                                                       \
  }

// grid[x][y] with y fastest, as in the Fortran program this comes from; threadIdx.x walks x.
#define P(x, y) ((x) * ny + (y))

static const double OMEGA = 1.7;

__global__ void sorHalf(const double* from, double* to, const double* f, int nx, int ny,
                        int colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  double v = from[P(x, y)];
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1 && (x + y) % 2 == colour) {
    double gs = 0.25 * (from[P(x - 1, y)] + from[P(x + 1, y)] + from[P(x, y - 1)] +
                        from[P(x, y + 1)] - f[P(x, y)]);
    v += OMEGA * (gs - v);
  }
  to[P(x, y)] = v;
}

// one thread sums a whole line, atomics for the rest
__global__ void residualNorm(const double* u, const double* f, int nx, int ny, double* sum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (x >= nx - 1)
    return;
  double s = 0;
  for (int y = 1; y < ny - 1; y++) {
    double r = u[P(x - 1, y)] + u[P(x + 1, y)] + u[P(x, y - 1)] + u[P(x, y + 1)] - 4 * u[P(x, y)] -
               f[P(x, y)];
    s += r * r;
  }
  atomicAdd(sum, s);
}

__global__ void setup(double* u, double* f, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  double px = (double)x / (nx - 1), py = (double)y / (ny - 1);
  bool edge = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  u[P(x, y)] = edge ? px * px - py * py + 0.5 * px : 0.0;
  f[P(x, y)] = 4.0 * (px - 0.5) * (py - 0.5) / nx;
}

int main(int argc, char** argv) {
  int nx = argc > 1 ? atoi(argv[1]) : 160;
  int ny = nx + nx / 4;
  const int sweeps = 10;
  size_t n = (size_t)nx * ny;
  double *u, *w, *f, *sum;
  SAFE(cudaMalloc(&u, n * sizeof(double)));
  SAFE(cudaMalloc(&w, n * sizeof(double)));
  SAFE(cudaMalloc(&f, n * sizeof(double)));
  SAFE(cudaMalloc(&sum, 2 * sizeof(double)));
  SAFE(cudaMemset(sum, 0, 2 * sizeof(double)));
  dim3 threads(16, 16), blocks((nx + 15) / 16, (ny + 15) / 16);
  setup<<<blocks, threads>>>(u, f, nx, ny);
  std::vector<double> a(n), b(n), hf(n);
  SAFE(cudaMemcpy(a.data(), u, n * sizeof(double), cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(hf.data(), f, n * sizeof(double), cudaMemcpyDeviceToHost));
  residualNorm<<<(nx + 63) / 64, 64>>>(u, f, nx, ny, sum);
  for (int s = 0; s < sweeps; s++)
    for (int colour = 0; colour < 2; colour++) {
      sorHalf<<<blocks, threads>>>(u, w, f, nx, ny, colour);
      double* t = u;
      u = w;
      w = t;
    }
  residualNorm<<<(nx + 63) / 64, 64>>>(u, f, nx, ny, sum + 1);
  SAFE(cudaDeviceSynchronize());
  std::vector<double> got(n);
  double hs[2];
  SAFE(cudaMemcpy(got.data(), u, n * sizeof(double), cudaMemcpyDeviceToHost));
  SAFE(cudaMemcpy(hs, sum, sizeof hs, cudaMemcpyDeviceToHost));

  for (int s = 0; s < sweeps; s++)
    for (int colour = 0; colour < 2; colour++)
      for (int x = 1; x < nx - 1; x++)
        for (int y = 1 + (x + 1 + colour) % 2; y < ny - 1; y += 2) {
          double v = a[P(x, y)];
          double gs = 0.25 * (a[P(x - 1, y)] + a[P(x + 1, y)] + a[P(x, y - 1)] + a[P(x, y + 1)] -
                              hf[P(x, y)]);
          a[P(x, y)] = v + OMEGA * (gs - v);
        }
  double worst = 0, r2 = 0;
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++) {
      double e = fabs(a[P(x, y)] - got[P(x, y)]);
      if (!(e <= worst))
        worst = e;
      if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
        double r = a[P(x - 1, y)] + a[P(x + 1, y)] + a[P(x, y - 1)] + a[P(x, y + 1)] -
                   4 * a[P(x, y)] - hf[P(x, y)];
        r2 += r * r;
      }
    }
  printf("residual %.6e -> %.6e\n", sqrt(hs[0]), sqrt(hs[1]));
  cudaFree(u);
  cudaFree(w);
  cudaFree(f);
  cudaFree(sum);
  if (!(worst < 1e-9) || !(fabs(r2 - hs[1]) <= 1e-6 * r2)) {
    printf("FAIL worst %g residuals %g %g\n", worst, r2, hs[1]);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
