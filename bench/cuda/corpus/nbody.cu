// SPDX-License-Identifier: Apache-2.0
// Gravity among n bodies, all pairs, with tiles in shared memory, and two steps of motion.
#include "common.h"

__global__ void moveBodies(const float4* old, float4* now, float4* velocity, int n, float dt) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 mine = i < n ? old[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 128) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? old[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = tile[k].w * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (i >= n)
    return;
  float4 v = velocity[i];
  v.x += dt * ax;
  v.y += dt * ay;
  v.z += dt * az;
  velocity[i] = v;
  now[i] = make_float4(mine.x + dt * v.x, mine.y + dt * v.y, mine.z + dt * v.z, mine.w);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 256);
  Random random(89);
  std::vector<float4> bodies(n);
  for (float4& body : bodies)
    body = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform() / n);
  float4 *a = upload(bodies), *b = allocate<float4>(n), *v = allocate<float4>(n);
  for (int step = 0; step < 2; ++step) {
    moveBodies<<<(n + 127) / 128, 128>>>(a, b, v, n, 0.01f);
    std::swap(a, b);
  }
  std::vector<float4> got = download(a, n), speed(n, make_float4(0, 0, 0, 0));
  for (int step = 0; step < 2; ++step) {
    std::vector<float4> next = bodies;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
              dz = bodies[j].z - bodies[i].z;
        float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
              pull = bodies[j].w * inverse * inverse * inverse;
        speed[i].x += 0.01f * pull * dx;
        speed[i].y += 0.01f * pull * dy;
        speed[i].z += 0.01f * pull * dz;
      }
      next[i].x += 0.01f * speed[i].x;
      next[i].y += 0.01f * speed[i].y;
      next[i].z += 0.01f * speed[i].z;
    }
    bodies = next;
  }
  bool passed = true;
  for (int i = 0; i < n; ++i)
    passed &= near(got[i].x, bodies[i].x, 1e-4) && near(got[i].y, bodies[i].y, 1e-4) &&
              near(got[i].z, bodies[i].z, 1e-4);
  return verdict(passed);
}
