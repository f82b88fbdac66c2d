// SPDX-License-Identifier: Apache-2.0
// Smoothed particle hydrodynamics of a falling water block: particles sorted by cell, densities,
// pressure and viscosity forces.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sph {

constexpr float H = 0.1f;
constexpr float REST = 1000.0f;
constexpr float STIFF = 3.0f;
constexpr float VISC = 3.5f;
constexpr float PI = 3.14159265f;

struct Sim {
  int n;
  int gx, gy, gz;
  float mass;
  float3 hi;
  float3 *pos, *vel;             // in the original order
  float4 *spos, *svel;           // sorted by cell, .w of svel holds the pressure
  float* rho;                    // sorted
  float3* force;                 // sorted
  unsigned *cell, *index;        // cell of each particle, original index by sorted place
  unsigned *histogram, *offsets; // cells + 1
};

#define GRID_STRIDE(i, n)                                                                          \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

__device__ int3 cellCoord(const Sim& s, float x, float y, float z) {
  return make_int3(min(max((int)(x / H), 0), s.gx - 1), min(max((int)(y / H), 0), s.gy - 1),
                   min(max((int)(z / H), 0), s.gz - 1));
}

__global__ void hashParticles(Sim s) {
  GRID_STRIDE(i, s.n) {
    int3 c = cellCoord(s, s.pos[i].x, s.pos[i].y, s.pos[i].z);
    unsigned k = (c.z * s.gy + c.y) * s.gx + c.x;
    s.cell[i] = k;
    atomicAdd(&s.histogram[k], 1u);
  }
}

// one block, chunk after chunk, Hillis-Steele in shared memory
__global__ void prefix(unsigned* histogram, unsigned* offsets, int cells) {
  __shared__ unsigned buf[2][512];
  unsigned carry = 0;
  for (int base = 0; base < cells; base += 512) {
    int i = base + threadIdx.x;
    unsigned v = i < cells ? histogram[i] : 0;
    int cur = 0;
    buf[0][threadIdx.x] = v;
    __syncthreads();
    for (int d = 1; d < 512; d *= 2) {
      unsigned w = buf[cur][threadIdx.x];
      if (threadIdx.x >= d)
        w += buf[cur][threadIdx.x - d];
      buf[cur ^ 1][threadIdx.x] = w;
      cur ^= 1;
      __syncthreads();
    }
    if (i < cells) {
      offsets[i] = carry + buf[cur][threadIdx.x] - v;
      histogram[i] = 0;
    }
    carry += buf[cur][511];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    offsets[cells] = carry;
}

__global__ void reorder(Sim s) {
  GRID_STRIDE(i, s.n) {
    unsigned k = s.cell[i];
    unsigned to = s.offsets[k] + atomicAdd(&s.histogram[k], 1u);
    s.index[to] = i;
    s.spos[to] = make_float4(s.pos[i].x, s.pos[i].y, s.pos[i].z, 0);
    s.svel[to] = make_float4(s.vel[i].x, s.vel[i].y, s.vel[i].z, 0);
  }
}

template <class F> __device__ void forNeighbours(const Sim& s, float4 p, F f) {
  int3 c = cellCoord(s, p.x, p.y, p.z);
  for (int z = max(c.z - 1, 0); z <= min(c.z + 1, s.gz - 1); z++)
    for (int y = max(c.y - 1, 0); y <= min(c.y + 1, s.gy - 1); y++) {
      // three cells in a row lie next to each other after the sort
      int row = (z * s.gy + y) * s.gx;
      unsigned from = s.offsets[row + max(c.x - 1, 0)];
      unsigned to = s.offsets[row + min(c.x + 1, s.gx - 1) + 1];
      for (unsigned j = from; j < to; j++)
        f(j);
    }
}

__global__ void density(Sim s) {
  const float poly6 = 315.0f / (64.0f * PI * powf(H, 9));
  GRID_STRIDE(i, s.n) {
    float4 p = s.spos[i];
    float sum = 0;
    forNeighbours(s, p, [&](unsigned j) {
      float4 q = s.spos[j];
      float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < H * H) {
        float w = H * H - r2;
        sum += w * w * w;
      }
    });
    float rho = s.mass * poly6 * sum;
    s.rho[i] = rho;
    s.svel[i].w = STIFF * fmaxf(rho - REST, 0.0f);
  }
}

__global__ void forces(Sim s) {
  const float spiky = 45.0f / (PI * powf(H, 6));
  GRID_STRIDE(i, s.n) {
    float4 p = s.spos[i], v = s.svel[i];
    float rho = s.rho[i];
    float3 f = make_float3(0, -9.81f * rho, 0);
    forNeighbours(s, p, [&](unsigned j) {
      float4 q = s.spos[j];
      float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
      float r2 = dx * dx + dy * dy + dz * dz;
      if (j == i || r2 >= H * H || r2 < 1e-12f)
        return;
      float r = sqrtf(r2), h = H - r;
      float4 w = s.svel[j];
      float press = s.mass * (v.w + w.w) / (2.0f * s.rho[j]) * spiky * h * h / r;
      float visc = VISC * s.mass / s.rho[j] * spiky * h;
      f.x += press * dx + visc * (w.x - v.x);
      f.y += press * dy + visc * (w.y - v.y);
      f.z += press * dz + visc * (w.z - v.z);
    });
    s.force[i] = f;
  }
}

__device__ void bounce(float& x, float& v, float hi) {
  if (x < 0) {
    x = 0;
    v *= -0.4f;
  }
  if (x > hi) {
    x = hi;
    v *= -0.4f;
  }
}

__global__ void integrate(Sim s, float dt) {
  GRID_STRIDE(i, s.n) {
    float inv = 1.0f / s.rho[i];
    float4 p = s.spos[i], v = s.svel[i];
    v.x += dt * s.force[i].x * inv;
    v.y += dt * s.force[i].y * inv;
    v.z += dt * s.force[i].z * inv;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    bounce(p.x, v.x, s.hi.x);
    bounce(p.y, v.y, s.hi.y);
    bounce(p.z, v.z, s.hi.z);
    unsigned k = s.index[i];
    s.pos[k] = make_float3(p.x, p.y, p.z);
    s.vel[k] = make_float3(v.x, v.y, v.z);
  }
}

template <class T> void make(T*& p, size_t n) {
  if (cudaMalloc((void**)&p, n * sizeof(T)) != cudaSuccess) {
    printf("FAIL allocation\n");
    exit(1);
  }
}

} // namespace sph

int main(int argc, char** argv) {
  using namespace sph;
  Sim s;
  s.n = argc > 1 ? atoi(argv[1]) : 4096;
  int side = (int)std::ceil(std::cbrt(s.n / 2.0));
  float gap = 0.05f;
  s.mass = REST * gap * gap * gap;
  s.hi = make_float3(side * gap * 2, side * gap * 2.4f, side * gap);
  s.gx = (int)(s.hi.x / H) + 1;
  s.gy = (int)(s.hi.y / H) + 1;
  s.gz = (int)(s.hi.z / H) + 1;
  int cells = s.gx * s.gy * s.gz;
  std::vector<float3> pos(s.n), vel(s.n, make_float3(0, 0, 0));
  unsigned seed = 77;
  auto rnd = [&] { return ((seed = seed * 69069u + 1u) >> 8) / 16777216.0f; };
  for (int i = 0; i < s.n; i++) {
    int x = i % side, z = i / side % side, y = i / (side * side);
    pos[i] = make_float3((x + 0.3f + 0.2f * rnd()) * gap, (y + 0.3f + 0.2f * rnd()) * gap,
                         (z + 0.3f + 0.2f * rnd()) * gap);
    vel[i].x = 0.1f * rnd();
  }
  make(s.pos, s.n);
  make(s.vel, s.n);
  make(s.spos, s.n);
  make(s.svel, s.n);
  make(s.rho, s.n);
  make(s.force, s.n);
  make(s.cell, s.n);
  make(s.index, s.n);
  make(s.histogram, cells);
  make(s.offsets, cells + 1);
  cudaMemcpy(s.pos, pos.data(), s.n * sizeof(float3), cudaMemcpyHostToDevice);
  cudaMemcpy(s.vel, vel.data(), s.n * sizeof(float3), cudaMemcpyHostToDevice);

  int grid = std::min((s.n + 127) / 128, 1024);
  std::vector<float> rho(s.n);
  std::vector<float3> force(s.n);
  std::vector<unsigned> index(s.n);
  for (int step = 0; step < 3; step++) {
    cudaMemset(s.histogram, 0, cells * sizeof(unsigned));
    hashParticles<<<grid, 128>>>(s);
    prefix<<<1, 512>>>(s.histogram, s.offsets, cells);
    reorder<<<grid, 128>>>(s);
    density<<<grid, 128>>>(s);
    forces<<<grid, 128>>>(s);
    if (step == 0) {
      cudaMemcpy(rho.data(), s.rho, s.n * sizeof(float), cudaMemcpyDeviceToHost);
      cudaMemcpy(force.data(), s.force, s.n * sizeof(float3), cudaMemcpyDeviceToHost);
      cudaMemcpy(index.data(), s.index, s.n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    }
    integrate<<<grid, 128>>>(s, 2e-4f);
  }
  std::vector<float3> end(s.n);
  cudaMemcpy(end.data(), s.pos, s.n * sizeof(float3), cudaMemcpyDeviceToHost);
  cudaError_t e = cudaDeviceSynchronize();
  if (e == cudaSuccess)
    e = cudaGetLastError();
  if (e != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(e));
    return 1;
  }

  // densities and vertical forces of some particles by brute force
  std::vector<double> ref(s.n, -1);
  auto rhoOf = [&](int i) {
    if (ref[i] >= 0)
      return ref[i];
    double sum = 0;
    for (int j = 0; j < s.n; j++) {
      double dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, dz = pos[i].z - pos[j].z;
      double w = H * H - dx * dx - dy * dy - dz * dz;
      if (w > 0)
        sum += w * w * w;
    }
    return ref[i] = s.mass * 315.0 / (64.0 * PI * std::pow(H, 9)) * sum;
  };
  int bad = 0;
  for (int k = 0; k < s.n; k += s.n / 16 + 1) {
    int i = index[k];
    double rho0 = rhoOf(i), fy = -9.81 * rho0, scale = 1000;
    double pi = STIFF * std::max(rho0 - REST, 0.0);
    for (int j = 0; j < s.n; j++) {
      double dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, dz = pos[i].z - pos[j].z;
      double r = std::sqrt(dx * dx + dy * dy + dz * dz);
      if (j == i || r >= H)
        continue;
      double rj = rhoOf(j), pj = STIFF * std::max(rj - REST, 0.0), h = H - r;
      double spiky = 45.0 / (PI * std::pow(H, 6));
      double push = s.mass * (pi + pj) / (2 * rj) * spiky * h * h / r * dy;
      fy += push + VISC * s.mass / rj * spiky * h * (vel[j].y - vel[i].y);
      scale += std::fabs(push);
    }
    if (!(std::fabs(rho[k] - rho0) < 2e-3 * rho0) || !(std::fabs(force[k].y - fy) < 5e-3 * scale))
      bad++;
  }
  double fall = 0;
  for (int i = 0; i < s.n; i++) {
    float3 p = end[i];
    if (!(p.x >= 0 && p.x <= s.hi.x && p.y >= 0 && p.y <= s.hi.y && p.z >= 0 && p.z <= s.hi.z))
      bad++;
    fall += p.y - pos[i].y;
  }
  printf("mean vertical displacement %.3e\n", fall / s.n);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
  return bad != 0;
}
