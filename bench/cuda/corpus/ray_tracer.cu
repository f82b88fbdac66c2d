// SPDX-License-Identifier: Apache-2.0
// Spheres over a chequered floor, with shadows and mirrors.
#include "common.h"

const int SPHERES = 8;

struct V {
  float x, y, z;
};

__host__ __device__ V operator+(V a, V b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ V operator-(V a, V b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ V operator*(V a, float f) {
  return {a.x * f, a.y * f, a.z * f};
}
__host__ __device__ float dot(V a, V b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ V unit(V a) {
  return a * (1 / sqrtf(dot(a, a)));
}

struct Scene {
  V center[SPHERES];
  float radius[SPHERES], mirror[SPHERES];
};

__host__ __device__ int hit(const Scene& scene, V from, V along, float& distance) {
  int which = -1;
  for (int s = 0; s < SPHERES; ++s) {
    V to = scene.center[s] - from;
    float b = dot(to, along), d = b * b - dot(to, to) + scene.radius[s] * scene.radius[s];
    if (d < 0)
      continue;
    float t = b - sqrtf(d);
    if (t > 1e-3f && t < distance) {
      distance = t;
      which = s;
    }
  }
  if (along.y < 0 && -from.y / along.y > 1e-3f && -from.y / along.y < distance) {
    distance = -from.y / along.y;
    which = SPHERES;
  }
  return which;
}

__host__ __device__ float trace(const Scene& scene, V from, V along) {
  V light = unit({0.5f, 1.0f, -0.6f});
  float color = 0, weight = 1;
  for (int bounce = 0; bounce < 5 && weight > 0.02f; ++bounce) {
    float distance = 1e9f;
    int which = hit(scene, from, along, distance);
    if (which < 0)
      return color + weight * (0.5f + 0.5f * along.y);
    V at = from + along * distance;
    V normal = which == SPHERES ? V{0, 1, 0} : unit(at - scene.center[which]);
    float base =
        which == SPHERES ? (((int)floorf(at.x) + (int)floorf(at.z)) & 1 ? 0.9f : 0.2f) : 0.7f;
    float shadow = 1e9f, mirror = which == SPHERES ? 0.1f : scene.mirror[which];
    float lit = hit(scene, at, light, shadow) < 0 ? fmaxf(dot(normal, light), 0) : 0;
    color += weight * (1 - mirror) * base * (0.2f + 0.8f * lit);
    weight *= mirror;
    from = at;
    along = along - normal * (2 * dot(along, normal));
  }
  return color;
}

__global__ void renderSpheres(Scene scene, float* image, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    image[y * w + x] =
        trace(scene, {0, 1.5f, -5}, unit({(x - w / 2.0f) / w, (h / 2.0f - y) / w, 1}));
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 64), h = w * 3 / 4, differing = 0;
  Random random(151);
  Scene scene;
  for (int s = 0; s < SPHERES; ++s) {
    scene.radius[s] = 0.3f + 0.5f * random.uniform();
    scene.center[s] = {random.uniform() * 4 - 2, scene.radius[s], random.uniform() * 4 - 1};
    scene.mirror[s] = s % 2 ? 0.8f : 0.1f;
  }
  float* image = allocate<float>(w * h);
  renderSpheres<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(scene, image, w, h);
  std::vector<float> got = download(image, w * h);
  for (int i = 0; i < w * h; ++i)
    differing += !near(
        got[i],
        trace(scene, {0, 1.5f, -5}, unit({(i % w - w / 2.0f) / w, (h / 2.0f - i / w) / w, 1})),
        1e-2);
  return verdict(differing <= w * h / 50); // edges of mirrored things
}
