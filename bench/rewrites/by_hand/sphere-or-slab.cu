// SPDX-License-Identifier: Apache-2.0
// Ray hits: a ray meets either a sphere or a slab; both arms end with the same shading.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Ray {
  float ox, oy, oz, dx, dy, dz;
};

__global__ void shade(const Ray* rays, const int* object, float* image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Ray r = rays[i];
  float t;
  if (object[i] == 0) {
    float b = r.ox * r.dx + r.oy * r.dy + r.oz * r.dz;
    float c = r.ox * r.ox + r.oy * r.oy + r.oz * r.oz - 1.0f;
    t = -b + sqrtf(fmaxf(b * b - c, 0.0f));
  } else {
    t = (2.0f - r.oz) / (fabsf(r.dz) + 0.1f);
  }
  float x = r.ox + t * r.dx, y = r.oy + t * r.dy, z = r.oz + t * r.dz;
  float fog = expf(-0.1f * t);
  float pattern = sinf(6.0f * x) * sinf(6.0f * y) * sinf(6.0f * z);
  float glow = powf(0.5f + 0.5f * pattern, 2.2f);
  float light = fog * (0.2f + 0.8f * glow) + (1.0f - fog) * logf(2.0f + y * y);
  image[i] = light;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::mt19937 gen(6502);
  std::uniform_real_distribution<float> u(-0.57f, 0.57f);
  std::vector<Ray> rays(n);
  std::vector<int> object(n);
  for (int i = 0; i < n; ++i) {
    rays[i] = {u(gen), u(gen), u(gen), u(gen), u(gen), 0.8f};
    object[i] = gen() % 3 == 0;
  }
  Ray* dRays;
  int* dObject;
  float* dImage;
  cudaMalloc(&dRays, n * sizeof(Ray));
  cudaMalloc(&dObject, n * sizeof(int));
  cudaMalloc(&dImage, n * sizeof(float));
  cudaMemcpy(dRays, rays.data(), n * sizeof(Ray), cudaMemcpyHostToDevice);
  cudaMemcpy(dObject, object.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shade<<<(n + 255) / 256, 256>>>(dRays, dObject, dImage, n);
  std::vector<float> image(n);
  cudaMemcpy(image.data(), dImage, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : image) sum += v;
  std::printf("mean light %.4f\n", sum / n);
  cudaFree(dRays);
  cudaFree(dObject);
  cudaFree(dImage);
  return 0;
}
