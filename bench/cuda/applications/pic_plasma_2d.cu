// SPDX-License-Identifier: Apache-2.0
// Two-dimensional electrostatic particle-in-cell plasma: charge deposit with float atomics, Jacobi
// field solve, particle push.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 256
#define ERR(c)                                                                                     \
  {                                                                                                \
    cudaError_t r = (c);                                                                           \
    if (r != cudaSuccess) {                                                                        \
      printf("FAIL cuda: %s, line %d\n", cudaGetErrorString(r), __LINE__);                         \
      exit(1);                                                                                     \
    }                                                                                              \
  }

struct Particles {
  float *x, *y, *vx, *vy;
  int n;
};

struct Grid {
  int nx, ny;
  float *rho, *phi, *phiNew, *ex, *ey;
};

__device__ int wrapi(int i, int n) {
  return i < 0 ? i + n : i >= n ? i - n : i;
}

__global__ void deposit(Particles p, Grid g, float charge) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n)
    return;
  float x = p.x[i], y = p.y[i];
  int ix = (int)x, iy = (int)y;
  float fx = x - ix, fy = y - iy;
  int jx = wrapi(ix + 1, g.nx), jy = wrapi(iy + 1, g.ny);
  atomicAdd(&g.rho[iy * g.nx + ix], charge * (1 - fx) * (1 - fy));
  atomicAdd(&g.rho[iy * g.nx + jx], charge * fx * (1 - fy));
  atomicAdd(&g.rho[jy * g.nx + ix], charge * (1 - fx) * fy);
  atomicAdd(&g.rho[jy * g.nx + jx], charge * fx * fy);
}

// a background of opposite charge makes the sum zero
__global__ void background(Grid g, float value) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < g.nx && y < g.ny)
    g.rho[y * g.nx + x] = value;
}

__global__ void jacobi(Grid g) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= g.nx || y >= g.ny)
    return;
  float l = g.phi[y * g.nx + wrapi(x - 1, g.nx)];
  float r = g.phi[y * g.nx + wrapi(x + 1, g.nx)];
  float d = g.phi[wrapi(y - 1, g.ny) * g.nx + x];
  float u = g.phi[wrapi(y + 1, g.ny) * g.nx + x];
  g.phiNew[y * g.nx + x] = 0.25f * (l + r + d + u + g.rho[y * g.nx + x]);
}

__global__ void field(Grid g) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= g.nx || y >= g.ny)
    return;
  g.ex[y * g.nx + x] =
      0.5f * (g.phi[y * g.nx + wrapi(x - 1, g.nx)] - g.phi[y * g.nx + wrapi(x + 1, g.nx)]);
  g.ey[y * g.nx + x] =
      0.5f * (g.phi[wrapi(y - 1, g.ny) * g.nx + x] - g.phi[wrapi(y + 1, g.ny) * g.nx + x]);
}

__global__ void push(Particles p, Grid g, float dt, float qm) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n)
    return;
  float x = p.x[i], y = p.y[i];
  int ix = (int)x, iy = (int)y;
  float fx = x - ix, fy = y - iy;
  int jx = wrapi(ix + 1, g.nx), jy = wrapi(iy + 1, g.ny);
  int a = iy * g.nx + ix, b = iy * g.nx + jx, c = jy * g.nx + ix, d = jy * g.nx + jx;
  float wa = (1 - fx) * (1 - fy), wb = fx * (1 - fy), wc = (1 - fx) * fy, wd = fx * fy;
  float vx = p.vx[i] + qm * dt * (wa * g.ex[a] + wb * g.ex[b] + wc * g.ex[c] + wd * g.ex[d]);
  float vy = p.vy[i] + qm * dt * (wa * g.ey[a] + wb * g.ey[b] + wc * g.ey[c] + wd * g.ey[d]);
  x += dt * vx;
  y += dt * vy;
  x -= floorf(x / g.nx) * g.nx;
  y -= floorf(y / g.ny) * g.ny;
  if (x >= g.nx)
    x = 0;
  if (y >= g.ny)
    y = 0;
  p.x[i] = x;
  p.y[i] = y;
  p.vx[i] = vx;
  p.vy[i] = vy;
}

__global__ void kinetic(Particles p, float* sum) {
  __shared__ float s[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < p.n ? 0.5f * (p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]) : 0.0f;
  __syncthreads();
  for (int k = 1; k < THREADS; k *= 2) {
    if (threadIdx.x % (2 * k) == 0)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, s[0]);
}

static float* gpuFloats(size_t n) {
  float* p;
  ERR(cudaMalloc(&p, n * sizeof(float)));
  ERR(cudaMemset(p, 0, n * sizeof(float)));
  return p;
}

static std::vector<float> down(const float* p, size_t n) {
  std::vector<float> v(n);
  ERR(cudaMemcpy(v.data(), p, n * sizeof(float), cudaMemcpyDeviceToHost));
  return v;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 16384;
  Grid g;
  g.nx = 32;
  while (g.nx * g.nx * 12 < n)
    g.nx *= 2;
  g.ny = g.nx;
  int cells = g.nx * g.ny;
  Particles p;
  p.n = n;
  std::vector<float> x(n), y(n), vx(n), vy(n);
  unsigned s = 1234;
  for (int i = 0; i < n; i++) {
    float u[5];
    for (float& v : u) {
      s ^= s << 13;
      s ^= s >> 17;
      s ^= s << 5;
      v = (s >> 8) / 16777216.0f;
    }
    // two streams, bunched in x
    x[i] = fmodf(u[0] * g.nx + 0.15f * g.nx * sinf(6.2831853f * u[0]) + g.nx, (float)g.nx);
    y[i] = u[1] * g.ny;
    if (x[i] >= g.nx)
      x[i] = 0;
    vx[i] = (i & 1 ? 1.5f : -1.5f) + 0.2f * (u[2] + u[3] - 1);
    vy[i] = 0.2f * (u[4] - 0.5f);
  }
  p.x = gpuFloats(n);
  p.y = gpuFloats(n);
  p.vx = gpuFloats(n);
  p.vy = gpuFloats(n);
  g.rho = gpuFloats(cells);
  g.phi = gpuFloats(cells);
  g.phiNew = gpuFloats(cells);
  g.ex = gpuFloats(cells);
  g.ey = gpuFloats(cells);
  float* energy = gpuFloats(4);
  ERR(cudaMemcpy(p.x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  ERR(cudaMemcpy(p.y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  ERR(cudaMemcpy(p.vx, vx.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  ERR(cudaMemcpy(p.vy, vy.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  float charge = -(float)cells / n, dt = 0.1f, qm = -1.0f;
  int gp = (n + THREADS - 1) / THREADS;
  dim3 tb(32, 8), gb((g.nx + 31) / 32, (g.ny + 7) / 8);
  std::vector<float> rho0, ex0, ey0, x1, vx1;
  const int steps = 3, sweeps = 8;
  for (int step = 0; step < steps; step++) {
    background<<<gb, tb>>>(g, 1.0f);
    deposit<<<gp, THREADS>>>(p, g, charge);
    for (int k = 0; k < sweeps; k++) {
      jacobi<<<gb, tb>>>(g);
      std::swap(g.phi, g.phiNew);
    }
    field<<<gb, tb>>>(g);
    if (step == 0) {
      rho0 = down(g.rho, cells);
      ex0 = down(g.ex, cells);
    }
    push<<<gp, THREADS>>>(p, g, dt, qm);
    if (step == 0) {
      x1 = down(p.x, n);
      vx1 = down(p.vx, n);
    }
    kinetic<<<gp, THREADS>>>(p, energy + step);
  }
  ERR(cudaDeviceSynchronize());
  auto rho = down(g.rho, cells), en = down(energy, steps), fx = down(p.x, n), fv = down(p.vx, n);
  auto fw = down(p.vy, n);

  int bad = 0;
  std::vector<double> ref(cells, 1.0);
  for (int i = 0; i < n; i++) {
    int ix = (int)x[i], iy = (int)y[i], jx = (ix + 1) % g.nx, jy = (iy + 1) % g.ny;
    double a = x[i] - ix, b = y[i] - iy;
    ref[iy * g.nx + ix] += charge * (1 - a) * (1 - b);
    ref[iy * g.nx + jx] += charge * a * (1 - b);
    ref[jy * g.nx + ix] += charge * (1 - a) * b;
    ref[jy * g.nx + jx] += charge * a * b;
    double e = (1 - a) * (1 - b) * ex0[iy * g.nx + ix] + a * (1 - b) * ex0[iy * g.nx + jx] +
               (1 - a) * b * ex0[jy * g.nx + ix] + a * b * ex0[jy * g.nx + jx];
    double v = vx[i] + qm * dt * e, xn = x[i] + dt * v;
    double d = xn - x1[i];
    d -= g.nx * rint(d / g.nx);
    if (fabs(v - vx1[i]) > 1e-4 || fabs(d) > 1e-3 || !(fx[i] >= 0 && fx[i] < g.nx))
      bad++;
  }
  std::vector<double> phi(cells, 0), next(cells);
  for (int k = 0; k < sweeps; k++, phi.swap(next))
    for (int j = 0; j < g.ny; j++)
      for (int i = 0; i < g.nx; i++)
        next[j * g.nx + i] =
            0.25 * (phi[j * g.nx + (i + 1) % g.nx] + phi[j * g.nx + (i + g.nx - 1) % g.nx] +
                    phi[(j + 1) % g.ny * g.nx + i] + phi[(j + g.ny - 1) % g.ny * g.nx + i] +
                    ref[j * g.nx + i]);
  double total = 0, kin = 0;
  for (int i = 0; i < cells; i++) {
    int r = i % g.nx, row = i - r;
    double e = 0.5 * (phi[row + (r + g.nx - 1) % g.nx] - phi[row + (r + 1) % g.nx]);
    if (fabs(ref[i] - rho0[i]) > 1e-3 || fabs(e - ex0[i]) > 1e-3)
      bad++;
    total += rho[i];
  }
  for (int i = 0; i < n; i++)
    kin += 0.5 * (fv[i] * fv[i] + fw[i] * fw[i]);
  if (fabs(total) > 1e-3 * cells || fabs(kin - en[steps - 1]) > 1e-3 * kin)
    bad++;
  printf("kinetic energy %.3f -> %.3f\n", en[0], en[steps - 1]);
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
