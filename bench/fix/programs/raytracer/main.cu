// SPDX-License-Identifier: Apache-2.0
// Ray tracer for spheres with a bounding volume hierarchy, shadows and mirrors.
#include <iostream>
#include "trace.cuh"

#define gpu(x) if (cudaError_t e = (x)) { std::cerr << #x << ": " << cudaGetErrorString(e) << std::endl; return 1; }

int main()
{
  const int width = 96, height = 72;
  Scene s = make_scene(80);
  BvhNode* nodes;
  Sphere* spheres;
  vec3* image;
  gpu(cudaMalloc(&nodes, s.nodes.size() * sizeof(BvhNode)));
  gpu(cudaMalloc(&spheres, s.spheres.size() * sizeof(Sphere)));
  gpu(cudaMalloc(&image, width * height * sizeof(vec3)));
  gpu(cudaMemcpy(nodes, s.nodes.data(), s.nodes.size() * sizeof(BvhNode), cudaMemcpyHostToDevice));
  gpu(cudaMemcpy(spheres, s.spheres.data(), s.spheres.size() * sizeof(Sphere), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  dim3 block(8, 8), grid((width + 7) / 8, (height + 7) / 8);
  cudaEventRecord(start);
  render<<<grid, block>>>(nodes, spheres, image, width, height);
  cudaEventRecord(stop);
  gpu(cudaEventSynchronize(stop));
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);

  std::vector<vec3> picture(width * height);
  gpu(cudaMemcpy(picture.data(), image, picture.size() * sizeof(vec3), cudaMemcpyDeviceToHost));
  int different = 0;
  double brightness = 0;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      vec3 a = picture[j * width + i], b = radiance(s.nodes.data(), s.spheres.data(), camera(i, j, width, height));
      if (fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z) > 0.02f) different++;
      brightness += a.x + a.y + a.z;
    }
  // rays that graze a sphere may go either way
  bool ok = different * 50 < width * height;
  std::cout.precision(3);
  std::cout << s.nodes.size() << " nodes, mean brightness " << brightness / (3 * width * height) << "\n";
  std::cout << "render time " << ms << " ms, " << width * height / ms * 1e-3 << " Mrays/s\n";
  std::cout << (ok ? "image verified" : "image WRONG") << std::endl;
  cudaFree(nodes);
  cudaFree(spheres);
  cudaFree(image);
  return ok ? 0 : 1;
}
