// SPDX-License-Identifier: Apache-2.0
// Traces rays through a scene of spheres with reflections: nested loops with early exits.
// Arguments: size of the picture.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define SPHERES 12

struct Sphere {
  float x, y, z, radius, shine;
};

__constant__ Sphere scene[SPHERES];

struct Ray {
  float3 o, d;
};

__host__ __device__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ float3 along(float3 o, float3 d, float t) {
  return make_float3(o.x + d.x * t, o.y + d.y * t, o.z + d.z * t);
}

__host__ __device__ int hit(const Sphere* s, const Ray& ray, float* distance) {
  int best = -1;
  for (int i = 0; i < SPHERES; ++i) {
    float3 oc = make_float3(ray.o.x - s[i].x, ray.o.y - s[i].y, ray.o.z - s[i].z);
    float b = dot(oc, ray.d), c = dot(oc, oc) - s[i].radius * s[i].radius;
    float discriminant = b * b - c;
    if (discriminant <= 0)
      continue;
    float t = -b - sqrtf(discriminant);
    if (t > 1e-3f && t < *distance) {
      *distance = t;
      best = i;
    }
  }
  return best;
}

__host__ __device__ float trace(const Sphere* s, Ray ray) {
  float light = 0, weight = 1;
  for (int bounce = 0; bounce < 4; ++bounce) {
    float distance = 1e30f;
    int i = hit(s, ray, &distance);
    if (i < 0) {
      light += weight * (0.5f + 0.5f * ray.d.y); // the sky
      break;
    }
    float3 p = along(ray.o, ray.d, distance);
    float inverse = 1.0f / s[i].radius;
    float3 n =
        make_float3((p.x - s[i].x) * inverse, (p.y - s[i].y) * inverse, (p.z - s[i].z) * inverse);
    light += weight * (1 - s[i].shine) * fmaxf(0.0f, 0.6f * n.y - 0.8f * n.z);
    weight *= s[i].shine;
    if (weight < 0.05f)
      break;
    ray = Ray{p, along(ray.d, n, -2 * dot(ray.d, n))};
  }
  return light;
}

__host__ __device__ Ray camera(int x, int y, int size) {
  float3 d = make_float3((x + 0.5f) / size * 2 - 1, (y + 0.5f) / size * 2 - 1, 2.0f);
  float length = 1.0f / sqrtf(dot(d, d));
  return Ray{make_float3(0, 0, -4), make_float3(d.x * length, d.y * length, d.z * length)};
}

__global__ void render(float* image, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size && y < size)
    image[y * size + x] = trace(scene, camera(x, y, size));
}

int main(int argc, char** argv) {
  int size = argc > 1 ? atoi(argv[1]) : 96;
  Sphere spheres[SPHERES];
  for (int i = 0; i < SPHERES; ++i)
    spheres[i] = Sphere{(i % 4 - 1.5f) * 1.1f, (i / 4 - 1) * 1.2f, i % 3 * 0.8f,
                        0.3f + i % 5 * 0.08f, i % 2 * 0.7f};
  CUDA_CHECK(cudaMemcpyToSymbol(scene, spheres, sizeof(spheres)));
  std::vector<float> image(size * size);
  float* d_image;
  CUDA_CHECK(cudaMalloc(&d_image, image.size() * sizeof(float)));
  dim3 block(8, 8), grid((size + 7) / 8, (size + 7) / 8);
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  render<<<grid, block>>>(d_image, size);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(
      cudaMemcpy(image.data(), d_image, image.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int different = 0;
  double sum = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      sum += image[y * size + x];
      different += !(fabsf(image[y * size + x] - trace(spheres, camera(x, y, size))) < 1e-3f);
    }
  printf("%d x %d: mean %.4f, %d pixels different, %.3f ms\n", size, size, sum / image.size(),
         different, ms);
  // At an edge one rounding decides whether a ray hits.
  if (different > size * size / 100 || !(sum > 0)) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
