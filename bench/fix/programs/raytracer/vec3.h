// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cuda_runtime.h>

struct vec3 {
  float x, y, z;
  __host__ __device__ vec3() : x(0), y(0), z(0) {}
  __host__ __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
};

__host__ __device__ inline vec3 operator+(vec3 a, vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline vec3 operator-(vec3 a, vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline vec3 operator*(vec3 a, vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
__host__ __device__ inline vec3 operator*(float s, vec3 a) { return vec3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline vec3 unit(vec3 a) { return (1.0f / sqrtf(dot(a, a))) * a; }

struct ray {
  vec3 o, d;
  __host__ __device__ ray(vec3 o, vec3 d) : o(o), d(d) {}
  __host__ __device__ vec3 at(float t) const { return o + t * d; }
};
