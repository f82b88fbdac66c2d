// SPDX-License-Identifier: Apache-2.0
// Cahn-Hilliard phase separation in 2D with double buffers and its free energy.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double MOBILITY = 1.0;
const double KAPPA = 0.5;
const double DT = 0.01;
const int N_STEPS = 9;
const int OUTPUT_EVERY = 3;

void checkError(const char* message) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("FAIL %s: %s\n", message, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

struct PhaseField {
  double* conc[2];
  double* mu;
  double* energy;
  double* total_mass;
  int nx, ny;
  int current;
};

__host__ __device__ inline int wrap(int a, int n) {
  return a < 0 ? a + n : a >= n ? a - n : a;
}

__host__ __device__ inline double laplace9(const double* a, int i, int j, int nx, int ny) {
  // isotropic nine-point Laplacian, periodic
  int im = wrap(i - 1, nx), ip = wrap(i + 1, nx), jm = wrap(j - 1, ny), jp = wrap(j + 1, ny);
  double side = a[j * nx + im] + a[j * nx + ip] + a[jm * nx + i] + a[jp * nx + i];
  double corner = a[jm * nx + im] + a[jm * nx + ip] + a[jp * nx + im] + a[jp * nx + ip];
  return (4.0 * side + corner - 20.0 * a[j * nx + i]) / 6.0;
}

__host__ __device__ inline double bulk_derivative(double c) {
  return 4.0 * pow(c, 3.0) - 6.0 * c * c + 2.0 * c;
}

__global__ void chemical_potential(const double* c, double* mu, int nx, int ny) {
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx && j < ny)
    mu[j * nx + i] = bulk_derivative(c[j * nx + i]) - KAPPA * laplace9(c, i, j, nx, ny);
}

__global__ void advance(const double* c, const double* mu, double* c_new, int nx, int ny,
                        double dt) {
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx && j < ny)
    c_new[j * nx + i] = c[j * nx + i] + dt * MOBILITY * laplace9(mu, i, j, nx, ny);
}

__global__ void energy_density(const double* c, double* e, int nx, int ny) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= nx * ny)
    return;
  int i = id % nx, j = id / nx;
  double gx = c[j * nx + wrap(i + 1, nx)] - c[id];
  double gy = c[wrap(j + 1, ny) * nx + i] - c[id];
  double v = c[id];
  e[id] = pow(v, 2.0) * pow(1.0 - v, 2.0) + 0.5 * KAPPA * (gx * gx + gy * gy);
}

// in-place tree over global memory; count is halved each launch and the odd element carried along
__global__ void fold(double* e, int count, int half) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id + half < count)
    e[id] += e[id + half];
}

__global__ void mass(const double* c, double* out, int n) {
  double s = 0.0;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x * gridDim.x)
    s += c[k];
  atomicAdd(out, s); // every thread
}

double free_energy(PhaseField* p) {
  int n = p->nx * p->ny;
  energy_density<<<(n + 255) / 256, 256>>>(p->conc[p->current], p->energy, p->nx, p->ny);
  int count = n;
  // a few launches leave a short rest for the host
  for (int l = 0; l < 6 && count > 64; l++) {
    int half = (count + 1) / 2;
    fold<<<(half + 255) / 256, 256>>>(p->energy, count, half);
    count = half;
  }
  double* rest = new double[count];
  cudaMemcpy(rest, p->energy, count * sizeof(double), cudaMemcpyDeviceToHost);
  checkError("energy");
  double s = 0;
  for (int k = 0; k < count; k++)
    s += rest[k];
  delete[] rest;
  return s;
}

int main(int argc, char** argv) {
  PhaseField p;
  p.nx = argc > 1 ? atoi(argv[1]) : 160;
  p.ny = p.nx - p.nx / 10;
  p.current = 0;
  int n = p.nx * p.ny;
  size_t bytes = n * sizeof(double);
  cudaMalloc(&p.conc[0], bytes);
  cudaMalloc(&p.conc[1], bytes);
  cudaMalloc(&p.mu, bytes);
  cudaMalloc(&p.energy, bytes);
  cudaMalloc(&p.total_mass, sizeof(double));
  checkError("malloc");
  double* c = (double*)malloc(bytes);
  double* d = (double*)malloc(bytes);
  double* mu = (double*)malloc(bytes);
  for (int k = 0; k < n; k++) {
    unsigned h = k * 2246822519u;
    h ^= h >> 15;
    h *= 3266489917u;
    h ^= h >> 13;
    c[k] = 0.5 + 0.2 * ((h & 0xfffff) / 1048576.0 - 0.5);
  }
  cudaMemcpy(p.conc[0], c, bytes, cudaMemcpyHostToDevice);
  cudaMemset(p.total_mass, 0, sizeof(double));
  checkError("upload");

  dim3 block(32, 8);
  dim3 grid((p.nx + block.x - 1) / block.x, (p.ny + block.y - 1) / block.y);
  double first = 0, last = DBL_MAX;
  bool falling = true;
  for (int t = 0; t < N_STEPS; t++) {
    chemical_potential<<<grid, block>>>(p.conc[p.current], p.mu, p.nx, p.ny);
    advance<<<grid, block>>>(p.conc[p.current], p.mu, p.conc[1 - p.current], p.nx, p.ny, DT);
    p.current = 1 - p.current;
    if (t % OUTPUT_EVERY == 0) {
      double e = free_energy(&p);
      falling = falling && e < last;
      last = e;
      if (t == 0)
        first = e;
      printf("step %d energy %.8f\n", t, e);
    }
  }
  mass<<<32, 128>>>(p.conc[p.current], p.total_mass, n);
  cudaDeviceSynchronize();
  checkError("run");
  double* got = (double*)malloc(bytes);
  double m;
  cudaMemcpy(got, p.conc[p.current], bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(&m, p.total_mass, sizeof m, cudaMemcpyDeviceToHost);
  checkError("download");

  double m0 = 0, worst = 0;
  for (int k = 0; k < n; k++)
    m0 += c[k];
  for (int t = 0; t < N_STEPS; t++) {
    for (int j = 0; j < p.ny; j++)
      for (int i = 0; i < p.nx; i++) {
        double v = c[j * p.nx + i];
        mu[j * p.nx + i] =
            4.0 * v * v * v - 6.0 * v * v + 2.0 * v - KAPPA * laplace9(c, i, j, p.nx, p.ny);
      }
    for (int j = 0; j < p.ny; j++)
      for (int i = 0; i < p.nx; i++)
        d[j * p.nx + i] = c[j * p.nx + i] + DT * MOBILITY * laplace9(mu, i, j, p.nx, p.ny);
    double* s = c;
    c = d;
    d = s;
  }
  for (int k = 0; k < n; k++) {
    double e = fabs(c[k] - got[k]);
    if (!(e <= worst))
      worst = e;
  }
  bool good = worst < 1e-10 && falling && fabs(m - m0) < 1e-6 * m0;
  printf(good ? "PASS\n" : "FAIL worst %g energies %g %g mass %g %g\n", worst, first, last, m, m0);
  return good ? 0 : 1;
}
