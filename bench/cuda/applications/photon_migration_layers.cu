// SPDX-License-Identifier: Apache-2.0
// Photon migration in layered tissue: hop, absorb and scatter with Russian roulette, absorption
// scored by double atomics.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 3
#define NR 40
#define NZ 40
#define DR 0.01f
#define DZ 0.01f
#define MAXSTEPS 400

struct layer_t {
  float mua, mus, g, n, z0, z1;
};

struct tissue_t {
  struct layer_t l[LAYERS];
};

struct photon_t {
  float x, y, z, ux, uy, uz, w;
  int layer;
  unsigned s0, s1;
};

#define DIE_ON(e)                                                                                  \
  do {                                                                                             \
    cudaError_t c = (e);                                                                           \
    if (c) {                                                                                       \
      printf("FAIL %s (%d)\n", cudaGetErrorString(c), __LINE__);                                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__device__ float draw(struct photon_t* p) {
  unsigned a = p->s0, b = p->s1;
  p->s0 = b;
  a ^= a << 23;
  p->s1 = a ^ b ^ (a >> 17) ^ (b >> 26);
  return (((p->s1 + b) >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__device__ unsigned scramble(unsigned v) {
  v ^= v >> 17;
  v *= 0xed5ad4bbu;
  v ^= v >> 11;
  v *= 0xac4c1b51u;
  v ^= v >> 15;
  v *= 0x31848babu;
  return v ^ (v >> 14);
}

__device__ void launch(struct photon_t* p, unsigned id) {
  p->s0 = scramble(2 * id + 1);
  p->s1 = scramble(2 * id + 2) | 1u;
  p->x = p->y = 0;
  p->z = 1e-6f;
  p->ux = p->uy = 0;
  p->uz = 1;
  p->w = 1;
  p->layer = 0;
}

// Henyey-Greenstein
__device__ void scatter(struct photon_t* p, float g) {
  float cost;
  if (g == 0.0f)
    cost = 2 * draw(p) - 1;
  else {
    float t = (1 - g * g) / (1 - g + 2 * g * draw(p));
    cost = (1 + g * g - t * t) / (2 * g);
    cost = fminf(1.0f, fmaxf(-1.0f, cost));
  }
  float sint = sqrtf(1 - cost * cost);
  float cosp, sinp;
  sincosf(6.2831853f * draw(p), &sinp, &cosp);
  float ux = p->ux, uy = p->uy, uz = p->uz;
  if (fabsf(uz) > 0.9999f) {
    p->ux = sint * cosp;
    p->uy = sint * sinp;
    p->uz = cost * (uz >= 0 ? 1.0f : -1.0f);
  } else {
    float t = sqrtf(1 - uz * uz);
    p->ux = sint * (ux * uz * cosp - uy * sinp) / t + ux * cost;
    p->uy = sint * (uy * uz * cosp + ux * sinp) / t + uy * cost;
    p->uz = -sint * cosp * t + uz * cost;
  }
  float n = rsqrtf(p->ux * p->ux + p->uy * p->uy + p->uz * p->uz);
  p->ux *= n;
  p->uy *= n;
  p->uz *= n;
}

__device__ float fresnel(float n1, float n2, float ca, float* ct) {
  if (n1 == n2) {
    *ct = ca;
    return 0;
  }
  float sa = sqrtf(fmaxf(0.0f, 1 - ca * ca)), st = n1 * sa / n2;
  if (st >= 1)
    return 1;
  *ct = sqrtf(1 - st * st);
  float rs = (n1 * ca - n2 * *ct) / (n1 * ca + n2 * *ct);
  float rp = (n1 * *ct - n2 * ca) / (n1 * *ct + n2 * ca);
  return 0.5f * (rs * rs + rp * rp);
}

// scores: [0] reflected, [1] transmitted, [2] killed or gained by roulette, [3] left over after
// MAXSTEPS
template <bool PRIVATE>
__global__ void migrate(struct tissue_t t, double* grid, double* scores, int* steps, unsigned first,
                        int photons) {
  __shared__ double local[PRIVATE ? NZ : 1];
  if (PRIVATE) {
    for (int i = threadIdx.x; i < NZ; i += blockDim.x)
      local[i] = 0;
    __syncthreads();
  }
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < photons) {
    struct photon_t p;
    launch(&p, first + id);
    int n = 0;
    bool alive = true;
    float left = 0; // what is left of the step in mean free paths
    while (alive && n < MAXSTEPS) {
      n++;
      struct layer_t L = t.l[p.layer];
      float mut = L.mua + L.mus;
      if (left == 0)
        left = -logf(draw(&p));
      float s = left / mut;
      float db = p.uz > 0 ? (L.z1 - p.z) / p.uz : p.uz < 0 ? (L.z0 - p.z) / p.uz : 1e9f;
      if (s > db) {
        p.x += db * p.ux;
        p.y += db * p.uy;
        p.z = p.uz > 0 ? L.z1 : L.z0;
        left = fmaxf(left - db * mut, 1e-6f);
        int next = p.layer + (p.uz > 0 ? 1 : -1);
        float n2 = next < 0 || next >= LAYERS ? 1.0f : t.l[next].n, ct = 0;
        if (draw(&p) < fresnel(L.n, n2, fabsf(p.uz), &ct)) {
          p.uz = -p.uz;
        } else if (next < 0 || next >= LAYERS) {
          atomicAdd(&scores[next < 0 ? 0 : 1], (double)p.w);
          alive = false;
        } else {
          p.ux *= L.n / n2;
          p.uy *= L.n / n2;
          p.uz = p.uz > 0 ? ct : -ct;
          p.layer = next;
        }
        continue;
      }
      left = 0;
      p.x += s * p.ux;
      p.y += s * p.uy;
      p.z += s * p.uz;
      float dw = p.w * L.mua / mut;
      p.w -= dw;
      int iz = min(NZ - 1, max(0, (int)(p.z / DZ)));
      if (PRIVATE) {
        atomicAdd(&local[iz], (double)dw);
      } else {
        int ir = min(NR - 1, (int)(sqrtf(p.x * p.x + p.y * p.y) / DR));
        atomicAdd(&grid[iz * NR + ir], (double)dw);
      }
      scatter(&p, L.g);
      if (p.w < 1e-2f) {
        if (draw(&p) < 0.1f) {
          atomicAdd(&scores[2], -9.0 * (double)p.w);
          p.w *= 10;
        } else {
          atomicAdd(&scores[2], (double)p.w);
          alive = false;
        }
      }
    }
    if (alive)
      atomicAdd(&scores[3], (double)p.w);
    steps[id] = n;
  }
  if (PRIVATE) {
    __syncthreads();
    for (int i = threadIdx.x; i < NZ; i += blockDim.x)
      atomicAdd(&grid[i * NR], local[i]);
  }
}

__global__ void depth_profile(const double* grid, double* profile, double norm) {
  int iz = blockIdx.x * blockDim.x + threadIdx.x;
  if (iz >= NZ)
    return;
  double s = 0;
  for (int r = 0; r < NR; r++)
    s += grid[iz * NR + r];
  profile[iz] = s * norm;
}

__global__ void longest(const int* steps, int* result, int n) {
  int best = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    best = max(best, steps[i]);
  best = __reduce_max_sync(0xffffffffu, best);
  if (threadIdx.x % 32 == 0)
    atomicMax(result, best);
}

int main(int argc, char** argv) {
  int photons = argc > 1 ? atoi(argv[1]) : 4096;
  struct tissue_t t = {{{1.2f, 60.0f, 0.75f, 1.37f, 0.0f, 0.06f},
                        {0.6f, 40.0f, 0.70f, 1.37f, 0.06f, 0.2f},
                        {2.5f, 50.0f, 0.80f, 1.4f, 0.2f, 0.4f}}};
  double *grid, *scores, *profile;
  int *steps, *longestStep;
  DIE_ON(cudaMalloc((void**)&grid, 2 * NR * NZ * sizeof(double)));
  DIE_ON(cudaMalloc((void**)&scores, 8 * sizeof(double)));
  DIE_ON(cudaMalloc((void**)&profile, 2 * NZ * sizeof(double)));
  DIE_ON(cudaMalloc((void**)&steps, photons * sizeof(int)));
  DIE_ON(cudaMalloc((void**)&longestStep, sizeof(int)));
  DIE_ON(cudaMemset(grid, 0, 2 * NR * NZ * sizeof(double)));
  DIE_ON(cudaMemset(scores, 0, 8 * sizeof(double)));
  DIE_ON(cudaMemset(longestStep, 0, sizeof(int)));

  int tpb = 64;
  int nb = (photons + tpb - 1) / tpb;
  migrate<false><<<nb, tpb>>>(t, grid, scores, steps, 0, photons);
  longest<<<8, 128>>>(steps, longestStep, photons);
  migrate<true><<<nb, tpb>>>(t, grid + NR * NZ, scores + 4, steps, 0, photons);
  depth_profile<<<1, NZ>>>(grid, profile, 1.0 / photons);
  depth_profile<<<1, NZ>>>(grid + NR * NZ, profile + NZ, 1.0 / photons);
  DIE_ON(cudaGetLastError());
  DIE_ON(cudaDeviceSynchronize());

  double g[2 * NR * NZ], s[8], pr[2 * NZ];
  int most;
  DIE_ON(cudaMemcpy(g, grid, sizeof g, cudaMemcpyDeviceToHost));
  DIE_ON(cudaMemcpy(s, scores, sizeof s, cudaMemcpyDeviceToHost));
  DIE_ON(cudaMemcpy(pr, profile, sizeof pr, cudaMemcpyDeviceToHost));
  DIE_ON(cudaMemcpy(&most, longestStep, sizeof most, cudaMemcpyDeviceToHost));

  // energy balance of both variants, the same photons in both, absorption falls with depth in the
  // last layer
  bool fine = most > 1 && most <= MAXSTEPS;
  double absorbed[2] = {0, 0};
  for (int v = 0; v < 2; v++) {
    for (int i = 0; i < NR * NZ; i++)
      absorbed[v] += g[v * NR * NZ + i];
    double sum = absorbed[v] + s[4 * v] + s[4 * v + 1] + s[4 * v + 2] + s[4 * v + 3];
    if (!(fabs(sum - photons) < 1e-4 * photons))
      fine = false;
  }
  for (int i = 0; i < NZ; i++) {
    double ref = 0;
    for (int r = 0; r < NR; r++)
      ref += g[i * NR + r] / photons;
    if (!(fabs(ref - pr[i]) < 1e-9) || !(fabs(pr[i] - pr[NZ + i]) < 1e-3 + 1e-2 * pr[i]))
      fine = false;
  }
  if (!(absorbed[0] > 0.1 * photons) || !(pr[22] > pr[38]))
    fine = false;
  printf("reflected %.4f transmitted %.4f absorbed %.4f, longest history %d\n", s[0] / photons,
         s[1] / photons, absorbed[0] / photons, most);
  printf(fine ? "PASS\n" : "FAIL balance\n");
  return fine ? 0 : 1;
}
