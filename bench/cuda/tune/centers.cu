// SPDX-License-Identifier: Apache-2.0
// The nearest of some centres for every point in four dimensions.
#include "../corpus/common.h"

__host__ __device__ int nearestOf(float4 p, const float4* centers, int count) {
  float best = 1e30f;
  int label = 0;
  for (int k = 0; k < count; ++k) {
    float4 c = centers[k];
    float d = (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y) + (p.z - c.z) * (p.z - c.z) +
              (p.w - c.w) * (p.w - c.w);
    if (d < best) {
      best = d;
      label = k;
    }
  }
  return label;
}

__global__ void labelPoints(const float4* points, const float4* centers, int* labels, int n,
                            int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    labels[i] = nearestOf(points[i], centers, count);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1000000), count = 64;
  Random random(139);
  std::vector<float4> points(n), centers(count);
  for (float4& point : points)
    point = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());
  for (float4& center : centers)
    center = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());
  float4 *p = upload(points), *c = upload(centers);
  int* labels = allocate<int>(n);
  labelPoints<<<(n + 255) / 256, 256>>>(p, c, labels, n, count);
  std::vector<int> got = download(labels, n);
  int differing = 0;
  for (int i = 0; i < n; i += 997)
    differing += got[i] != nearestOf(points[i], centers.data(), count);
  return verdict(differing <= 2); // two may be equally near
}
