// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics of a clustered Lennard-Jones fluid in a periodic box with cell lists rebuilt
// every step.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUTOFF 2.5f
#define CELL 2.5f
#define DT 0.002f

#define cudaTry(stmt)                                                                              \
  do {                                                                                             \
    cudaError_t e = stmt;                                                                          \
    if (e != cudaSuccess) {                                                                        \
      printf("FAIL %s (%s)\n", #stmt, cudaGetErrorString(e));                                      \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

typedef struct {
  int n;
  int dim; // cells along each side
  float box;
} params_t;

__device__ __forceinline__ int cell_of(float4 p, params_t c) {
  int x = min(c.dim - 1, (int)(p.x / c.box * c.dim));
  int y = min(c.dim - 1, (int)(p.y / c.box * c.dim));
  int z = min(c.dim - 1, (int)(p.z / c.box * c.dim));
  return (z * c.dim + y) * c.dim + x;
}

__global__ void count_cells(const float4* pos, int* count, params_t c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c.n)
    atomicAdd(&count[cell_of(pos[i], c)], 1);
}

// exclusive scan over the cells by a single block; also clears the counters
__global__ void scan_cells(int* count, int* start, int cells) {
  __shared__ int sums[256];
  int per = (cells + blockDim.x - 1) / blockDim.x;
  int from = threadIdx.x * per, to = min(cells, from + per);
  int s = 0;
  for (int i = from; i < to; i++)
    s += count[i];
  sums[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    int run = 0;
    for (int i = 0; i < blockDim.x; i++) {
      int v = sums[i];
      sums[i] = run;
      run += v;
    }
    start[cells] = run;
  }
  __syncthreads();
  s = sums[threadIdx.x];
  for (int i = from; i < to; i++) {
    start[i] = s;
    s += count[i];
    count[i] = 0;
  }
}

__global__ void fill_cells(const float4* pos, const int* start, int* count, int* members,
                           params_t c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n)
    return;
  int k = cell_of(pos[i], c);
  members[start[k] + atomicAdd(&count[k], 1)] = i;
}

__device__ __forceinline__ float wrap(float d, float box) {
  if (d > 0.5f * box)
    d -= box;
  if (d < -0.5f * box)
    d += box;
  return d;
}

__global__ void lj_forces(const float4* __restrict__ pos, const int* __restrict__ start,
                          const int* __restrict__ members, float4* force, int* neighbours,
                          params_t c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n)
    return;
  float4 p = pos[i];
  int me = cell_of(p, c);
  int cx = me % c.dim, cy = me / c.dim % c.dim, cz = me / (c.dim * c.dim);
  float fx = 0, fy = 0, fz = 0, energy = 0;
  int seen = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int k = ((cz + dz + c.dim) % c.dim * c.dim + (cy + dy + c.dim) % c.dim) * c.dim +
                (cx + dx + c.dim) % c.dim;
        for (int m = start[k]; m < start[k + 1]; m++) {
          int j = members[m];
          if (j == i)
            continue;
          float4 q = pos[j];
          float rx = wrap(p.x - q.x, c.box), ry = wrap(p.y - q.y, c.box);
          float rz = wrap(p.z - q.z, c.box);
          float r2 = rx * rx + ry * ry + rz * rz;
          if (r2 >= CUTOFF * CUTOFF)
            continue;
          float i2 = 1.0f / r2, i6 = i2 * i2 * i2;
          float f = 24.0f * i2 * i6 * (2.0f * i6 - 1.0f);
          fx += f * rx;
          fy += f * ry;
          fz += f * rz;
          energy += 2.0f * i6 * (i6 - 1.0f);
          seen++;
        }
      }
  force[i] = make_float4(fx, fy, fz, energy);
  neighbours[i] = seen;
}

__global__ void half_kick(float4* vel, const float4* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  vel[i].x += 0.5f * DT * force[i].x;
  vel[i].y += 0.5f * DT * force[i].y;
  vel[i].z += 0.5f * DT * force[i].z;
}

__global__ void drift(float4* pos, const float4* vel, params_t c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n)
    return;
  float* p = (float*)&pos[i];
  const float* v = (const float*)&vel[i];
  for (int d = 0; d < 3; d++) {
    float x = p[d] + DT * v[d];
    if (x < 0)
      x += c.box;
    if (x >= c.box)
      x -= c.box;
    p[d] = x;
  }
}

__global__ void total_energy(const float4* vel, const float4* force, double* out, int n) {
  double e = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 v = vel[i];
    e += 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z) + force[i].w;
  }
  for (int o = 16; o; o >>= 1)
    e += __shfl_down_sync(0xffffffffu, e, o);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, e);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  params_t c;
  int side = (int)ceil(cbrt(n * 1.6)); // lattice with holes: some regions stay nearly empty
  c.box = side * 1.3f;
  c.dim = (int)(c.box / CELL);
  if (c.dim < 3) {
    c.dim = 3;
    c.box = 3 * CELL;
  }
  int cells = c.dim * c.dim * c.dim;
  std::vector<float4> pos, vel;
  srand(1);
  unsigned s = 17;
  auto rnd = [&]() {
    s = s * 1664525u + 1013904223u;
    return (s >> 8) / 16777216.0f - 0.5f;
  };
  int sites = side * side * side, left = n;
  for (int k = 0; k < sites && left > 0; k++) {
    int x = k % side, y = k / side % side, z = k / (side * side);
    bool hole = ((x / 4 + y / 4 + z / 4) & 1) && rnd() < 0.3f;
    if (hole && sites - k > left)
      continue;
    float h = c.box / side;
    pos.push_back(make_float4((x + 0.5f + 0.1f * rnd()) * h, (y + 0.5f + 0.1f * rnd()) * h,
                              (z + 0.5f + 0.1f * rnd()) * h, 0));
    vel.push_back(make_float4(rnd(), rnd(), rnd(), 0));
    left--;
  }
  n = c.n = (int)pos.size();

  float4 *dpos, *dvel, *dforce;
  int *dcount, *dstart, *dmem, *dnb;
  double* denergy;
  cudaTry(cudaMalloc(&dpos, n * sizeof(float4)));
  cudaTry(cudaMalloc(&dvel, n * sizeof(float4)));
  cudaTry(cudaMalloc(&dforce, n * sizeof(float4)));
  cudaTry(cudaMalloc(&dcount, cells * sizeof(int)));
  cudaTry(cudaMalloc(&dstart, (cells + 1) * sizeof(int)));
  cudaTry(cudaMalloc(&dmem, n * sizeof(int)));
  cudaTry(cudaMalloc(&dnb, n * sizeof(int)));
  cudaTry(cudaMalloc(&denergy, 8 * sizeof(double)));
  cudaTry(cudaMemset(denergy, 0, 8 * sizeof(double)));
  cudaTry(cudaMemcpy(dpos, pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  cudaTry(cudaMemcpy(dvel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  int grid = (n + 127) / 128;
  std::vector<float4> f(n);
  std::vector<int> nb(n);
  const int steps = 5;
  for (int step = 0; step <= steps; step++) {
    if (step > 0) {
      half_kick<<<grid, 128>>>(dvel, dforce, n);
      drift<<<grid, 128>>>(dpos, dvel, c);
    }
    cudaTry(cudaMemset(dcount, 0, cells * sizeof(int)));
    count_cells<<<grid, 128>>>(dpos, dcount, c);
    scan_cells<<<1, 256>>>(dcount, dstart, cells);
    fill_cells<<<grid, 128>>>(dpos, dstart, dcount, dmem, c);
    lj_forces<<<grid, 128>>>(dpos, dstart, dmem, dforce, dnb, c);
    if (step > 0)
      half_kick<<<grid, 128>>>(dvel, dforce, n);
    total_energy<<<32, 128>>>(dvel, dforce, denergy + step, n);
    if (step == 0) {
      cudaTry(cudaMemcpy(f.data(), dforce, n * sizeof(float4), cudaMemcpyDeviceToHost));
      cudaTry(cudaMemcpy(nb.data(), dnb, n * sizeof(int), cudaMemcpyDeviceToHost));
    }
  }
  double energy[8];
  cudaTry(cudaMemcpy(energy, denergy, sizeof energy, cudaMemcpyDeviceToHost));

  int bad = 0, checked = 0;
  for (int i = 0; i < n; i += n / 64 + 1, checked++) {
    double fx = 0, scale = 1;
    int seen = 0, edge = 0;
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      double d[3] = {pos[i].x - pos[j].x, pos[i].y - pos[j].y, pos[i].z - pos[j].z}, r2 = 0;
      for (double& x : d) {
        x -= c.box * rint(x / c.box);
        r2 += x * x;
      }
      if (fabs(r2 - CUTOFF * CUTOFF) < 1e-4)
        edge++;
      if (r2 >= CUTOFF * CUTOFF)
        continue;
      double i6 = 1 / (r2 * r2 * r2);
      fx += 24 / r2 * i6 * (2 * i6 - 1) * d[0];
      scale += fabs(24 / r2 * i6 * (2 * i6 - 1) * d[0]);
      seen++;
    }
    if (abs(seen - nb[i]) > edge || fabs(fx - f[i].x) > 2e-4 * scale + 0.05 * edge)
      bad++;
  }
  double drifted = fabs(energy[steps] - energy[0]) / n;
  printf("%d particles, energy %.5f -> %.5f per particle\n", n, energy[0] / n, energy[steps] / n);
  if (bad || !(drifted < 0.01)) {
    printf("FAIL forces %d of %d, drift %g\n", bad, checked, drifted);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
