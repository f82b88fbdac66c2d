// SPDX-License-Identifier: Apache-2.0
// Path traces a box of spheres with Russian roulette, once as one big kernel and once with queues
// of live paths per bounce.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define NSPHERES 9
#define MAX_DEPTH 12

#define check(e)                                                                                   \
  {                                                                                                \
    cudaError_t r = (e);                                                                           \
    if (r != cudaSuccess) {                                                                        \
      printf("FAIL %s\n", cudaGetErrorString(r));                                                  \
      exit(1);                                                                                     \
    }                                                                                              \
  }

typedef struct {
  float cx, cy, cz, radius;
  float r, g, b;
  float emission;
  int mirror;
} Sphere;

typedef struct {
  float ox, oy, oz, dx, dy, dz;
  float tr, tg, tb; // throughput
  float lr, lg, lb; // gathered light
  unsigned rng;
  int depth;
} Path;

__constant__ Sphere scene[NSPHERES];

__host__ __device__ static float rand01(unsigned* s) {
  unsigned x = *s;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *s = x;
  return (x >> 8) * (1.0f / 16777216.0f);
}

__host__ __device__ static unsigned wang(unsigned s) {
  s = (s ^ 61) ^ (s >> 16);
  s *= 9;
  s ^= s >> 4;
  s *= 0x27d4eb2d;
  s ^= s >> 15;
  return s ? s : 1;
}

__host__ __device__ static void camera(Path* p, int pixel, int sample, int w) {
  p->rng = wang(pixel * 977u + sample * 131071u + 7u);
  float jx = rand01(&p->rng), jy = rand01(&p->rng);
  float x = ((pixel % w) + jx) / w * 2 - 1, y = 1 - ((pixel / w) + jy) / w * 2;
  float len = sqrtf(x * x + y * y + 4.0f);
  p->ox = 0;
  p->oy = 0;
  p->oz = -7;
  p->dx = x / len;
  p->dy = y / len;
  p->dz = 2.0f / len;
  p->tr = p->tg = p->tb = 1;
  p->lr = p->lg = p->lb = 0;
  p->depth = 0;
}

// one bounce; true when the path goes on
__host__ __device__ static bool bounce(Path* p, const Sphere* sc) {
  float best = 1e20f;
  int id = -1;
  for (int i = 0; i < NSPHERES; i++) {
    float x = sc[i].cx - p->ox, y = sc[i].cy - p->oy, z = sc[i].cz - p->oz;
    float b = x * p->dx + y * p->dy + z * p->dz;
    float px = x - b * p->dx, py = y - b * p->dy, pz = z - b * p->dz;
    float disc = sc[i].radius * sc[i].radius - (px * px + py * py + pz * pz);
    if (disc < 0)
      continue;
    disc = sqrtf(disc);
    float t = b - disc;
    if (t < 2e-3f)
      t = b + disc;
    if (t > 2e-3f && t < best) {
      best = t;
      id = i;
    }
  }
  if (id < 0) {
    p->lr += p->tr * 0.1f;
    p->lg += p->tg * 0.12f;
    p->lb += p->tb * 0.2f;
    return false;
  }
  const Sphere* s = &sc[id];
  if (s->emission > 0) {
    p->lr += p->tr * s->emission * s->r;
    p->lg += p->tg * s->emission * s->g;
    p->lb += p->tb * s->emission * s->b;
    return false;
  }
  p->ox += best * p->dx;
  p->oy += best * p->dy;
  p->oz += best * p->dz;
  float nx = (p->ox - s->cx) / s->radius, ny = (p->oy - s->cy) / s->radius;
  float nz = (p->oz - s->cz) / s->radius;
  float c = nx * p->dx + ny * p->dy + nz * p->dz;
  if (c > 0) {
    nx = -nx;
    ny = -ny;
    nz = -nz;
    c = -c;
  }
  p->tr *= s->r;
  p->tg *= s->g;
  p->tb *= s->b;
  if (s->mirror) {
    p->dx -= 2 * c * nx;
    p->dy -= 2 * c * ny;
    p->dz -= 2 * c * nz;
  } else {
    float u = rand01(&p->rng) * 2 - 1, a = 6.2831853f * rand01(&p->rng);
    float q = sqrtf(fmaxf(0.0f, 1 - u * u));
    float x = nx + 0.999f * q * cosf(a), y = ny + 0.999f * q * sinf(a), z = nz + 0.999f * u;
    float inv = 1.0f / sqrtf(x * x + y * y + z * z);
    p->dx = x * inv;
    p->dy = y * inv;
    p->dz = z * inv;
  }
  if (++p->depth >= MAX_DEPTH)
    return false;
  if (p->depth > 2) {
    float keep = fmaxf(p->tr, fmaxf(p->tg, p->tb));
    keep = fminf(keep, 0.95f);
    if (rand01(&p->rng) >= keep)
      return false;
    p->tr /= keep;
    p->tg /= keep;
    p->tb /= keep;
  }
  return true;
}

__global__ void mega(float3* image, int w, int spp, unsigned* bounces) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= w)
    return;
  float3 sum = make_float3(0, 0, 0);
  unsigned n = 0;
  for (int s = 0; s < spp; s++) {
    Path p;
    camera(&p, y * w + x, s, w);
    do
      n++;
    while (bounce(&p, scene));
    sum.x += p.lr / spp;
    sum.y += p.lg / spp;
    sum.z += p.lb / spp;
  }
  image[y * w + x] = sum;
  atomicAdd(bounces, n);
}

__global__ void startPaths(Path* paths, int* queue, int w, int sample, int spp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * w)
    return;
  camera(&paths[i], i, sample, w);
  queue[i] = i;
}

// advances all live paths by one bounce; those that go on are appended to the next queue
__global__ void extend(Path* paths, const int* queue, const int* count, int* next, int* nextCount) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  bool live = false;
  int id = -1;
  if (k < *count) {
    id = queue[k];
    Path p = paths[id];
    live = bounce(&p, scene);
    paths[id] = p;
  }
  unsigned mask = __ballot_sync(0xffffffffu, live);
  int lane = threadIdx.x & 31, base = 0;
  if (lane == 0 && mask)
    base = atomicAdd(nextCount, __popc(mask));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (live)
    next[base + __popc(mask & ((1u << lane) - 1))] = id;
}

__global__ void accumulate(const Path* paths, float3* image, int n, int spp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  image[i].x += paths[i].lr / spp;
  image[i].y += paths[i].lg / spp;
  image[i].z += paths[i].lb / spp;
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 64;
  const int spp = 2;
  Sphere sc[NSPHERES] = {
      {0, -1003, 0, 1000, 0.8f, 0.8f, 0.75f, 0, 0},    {0, 1004, 0, 1000, 0.8f, 0.8f, 0.8f, 0, 0},
      {-1004, 0, 0, 1000, 0.8f, 0.3f, 0.3f, 0, 0},     {1004, 0, 0, 1000, 0.3f, 0.4f, 0.8f, 0, 0},
      {0, 0, 1005, 1000, 0.7f, 0.7f, 0.7f, 0, 0},      {-1.5f, -2, 1.5f, 1, 0.9f, 0.9f, 0.9f, 0, 1},
      {1.4f, -2.2f, 0, 0.8f, 0.5f, 0.8f, 0.5f, 0, 0},  {0, 3.6f, 1, 1.2f, 1, 0.95f, 0.85f, 6, 0},
      {0.2f, 0.4f, 2.5f, 0.7f, 0.9f, 0.8f, 0.4f, 0, 1}};
  check(cudaMemcpyToSymbol(scene, sc, sizeof sc));
  int n = w * w;
  float3 *imageA, *imageB;
  Path* paths;
  int *queue[2], *counts;
  unsigned* bounces;
  check(cudaMalloc(&imageA, n * sizeof(float3)));
  check(cudaMalloc(&imageB, n * sizeof(float3)));
  check(cudaMalloc(&paths, n * sizeof(Path)));
  check(cudaMalloc(&queue[0], n * sizeof(int)));
  check(cudaMalloc(&queue[1], n * sizeof(int)));
  check(cudaMalloc(&counts, (MAX_DEPTH + 1) * sizeof(int)));
  check(cudaMalloc(&bounces, sizeof(unsigned)));
  check(cudaMemset(imageB, 0, n * sizeof(float3)));
  check(cudaMemset(bounces, 0, sizeof(unsigned)));

  dim3 block(16, 8), grid((w + 15) / 16, (w + 7) / 8);
  mega<<<grid, block>>>(imageA, w, spp, bounces);
  unsigned queued = 0;
  for (int s = 0; s < spp; s++) {
    check(cudaMemset(counts, 0, (MAX_DEPTH + 1) * sizeof(int)));
    check(cudaMemcpy(counts, &n, sizeof(int), cudaMemcpyHostToDevice));
    startPaths<<<(n + 255) / 256, 256>>>(paths, queue[0], w, s, spp);
    int live = n;
    for (int d = 0; d < MAX_DEPTH && live > 0; d++) {
      extend<<<(live + 127) / 128, 128>>>(paths, queue[d & 1], counts + d, queue[~d & 1],
                                          counts + d + 1);
      queued += live;
      check(cudaMemcpy(&live, counts + d + 1, sizeof(int), cudaMemcpyDeviceToHost));
    }
    accumulate<<<(n + 255) / 256, 256>>>(paths, imageB, n, spp);
  }
  check(cudaDeviceSynchronize());

  std::vector<float3> a(n), b(n);
  unsigned total;
  check(cudaMemcpy(a.data(), imageA, n * sizeof(float3), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(b.data(), imageB, n * sizeof(float3), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&total, bounces, sizeof total, cudaMemcpyDeviceToHost));
  // rounding may send a few paths another way, so most pixels and the mean have to agree
  int differ = 0, differHost = 0, checked = 0;
  double meanA = 0, meanB = 0, meanHost = 0, meanPart = 0;
  for (int i = 0; i < n; i++) {
    meanA += a[i].x + a[i].y + a[i].z;
    meanB += b[i].x + b[i].y + b[i].z;
    differ += !(fabsf(a[i].x - b[i].x) < 2e-2f * (1 + a[i].x));
    if (i % 19)
      continue;
    float r = 0, g = 0;
    for (int s = 0; s < spp; s++) {
      Path p;
      camera(&p, i, s, w);
      while (bounce(&p, sc))
        ;
      r += p.lr / spp;
      g += p.lg / spp;
    }
    checked++;
    meanHost += r + g;
    meanPart += a[i].x + a[i].y;
    differHost += !(fabsf(r - a[i].x) < 2e-2f * (1 + r));
  }
  printf("mean %.5f, queued %.5f, %u and %u bounces\n", meanA / n, meanB / n, total, queued);
  bool good = differ <= n / 20 && differHost <= checked / 10 + 1 && meanA > 0 &&
              fabs(meanA - meanB) < 0.03 * meanA && fabs(meanHost - meanPart) < 0.06 * meanHost;
  if (!good) {
    printf("FAIL %d of %d, host %d of %d\n", differ, n, differHost, checked);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
