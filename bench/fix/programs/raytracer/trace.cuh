// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scene.h"

#define MAX_BOUNCES 4
#define STACK 32

struct Hit {
  float t;
  int sphere;
};

__host__ __device__ inline bool hits_box(const BvhNode& n, const ray& r, float tmax)
{
  float t0 = 1e-3f, t1 = tmax;
  float o[3] = {r.o.x, r.o.y, r.o.z}, d[3] = {r.d.x, r.d.y, r.d.z};
  float lo[3] = {n.lo.x, n.lo.y, n.lo.z}, hi[3] = {n.hi.x, n.hi.y, n.hi.z};
  for (int a = 0; a < 3; a++) {
    float inv = 1.0f / d[a];
    float near = (lo[a] - o[a]) * inv, far = (hi[a] - o[a]) * inv;
    if (inv < 0.0f) {
      float t = near;
      near = far;
      far = t;
    }
    t0 = near > t0 ? near : t0;
    t1 = far < t1 ? far : t1;
    if (t1 < t0) return false;
  }
  return true;
}

__host__ __device__ inline float hit_sphere(const Sphere& s, const ray& r)
{
  vec3 oc = r.o - s.centre;
  float b = dot(oc, r.d), c = dot(oc, oc) - s.radius * s.radius;
  float disc = b * b - c;
  if (disc <= 0.0f) return -1.0f;
  float root = sqrtf(disc);
  if (-b - root > 1e-3f) return -b - root;
  if (-b + root > 1e-3f) return -b + root;
  return -1.0f;
}

__host__ __device__ inline Hit closest(const BvhNode* nodes, const Sphere* spheres, const ray& r)
{
  Hit best = {1e30f, -1};
  int stack[STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const BvhNode& n = nodes[stack[--top]];
    if (!hits_box(n, r, best.t)) continue;
    if (n.left >= 0) {
      stack[top++] = n.left;
      stack[top++] = n.left + 1;
    } else {
      for (int i = n.first; i < n.first + n.count; i++) {
        float t = hit_sphere(spheres[i], r);
        if (t > 0.0f && t < best.t) {
          best.t = t;
          best.sphere = i;
        }
      }
    }
  }
  return best;
}

__host__ __device__ inline vec3 radiance(const BvhNode* nodes, const Sphere* spheres, ray r)
{
  const vec3 light = unit(vec3(0.6f, 1.0f, 0.4f));
  vec3 weight(1, 1, 1), sum(0, 0, 0);
  for (int bounce = 0; bounce < MAX_BOUNCES; bounce++) {
    Hit h = closest(nodes, spheres, r);
    if (h.sphere < 0) {
      float t = 0.5f * (r.d.y + 1.0f);
      return sum + weight * ((1.0f - t) * vec3(1, 1, 1) + t * vec3(0.5f, 0.7f, 1.0f));
    }
    const Sphere& s = spheres[h.sphere];
    vec3 p = r.at(h.t), n = unit(p - s.centre);
    float cosine = dot(n, light), shade = 0.15f;
    if (cosine > 0.0f) {
      Hit shadow = closest(nodes, spheres, ray(p, light));
      if (shadow.sphere < 0) shade += 0.85f * cosine;
    }
    sum = sum + (1.0f - s.mirror) * shade * weight * s.colour;
    if (s.mirror <= 0.0f) break;
    weight = s.mirror * weight;
    r = ray(p, unit(r.d - 2.0f * dot(r.d, n) * n));
  }
  return sum;
}

__host__ __device__ inline ray camera(int i, int j, int width, int height)
{
  float x = (i + 0.5f) / width - 0.5f, y = 0.5f - (j + 0.5f) / height;
  return ray(vec3(0.0f, 1.6f, 6.0f), unit(vec3(1.3f * x * width / height, 1.3f * y - 0.15f, -1.0f)));
}

__global__ void render(const BvhNode* nodes, const Sphere* spheres, vec3* image, int width, int height)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= width || j >= height) return;
  image[j * width + i] = radiance(nodes, spheres, camera(i, j, width, height));
}
