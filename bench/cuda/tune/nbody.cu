// SPDX-License-Identifier: Apache-2.0
// Forces among bodies: few threads with much to do, so that how they are spread over the GPU counts.
#include "../corpus/common.h"

__global__ void bodyForces(const float4* bodies, float3* forces, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 mine = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (int j = 0; j < n / 16; ++j) {
    float4 other = bodies[j];
    float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float pull = other.w * inverse * inverse * inverse;
    force.x += pull * dx;
    force.y += pull * dy;
    force.z += pull * dz;
  }
  forces[i] = force;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 20000);
  Random random(3);
  std::vector<float4> bodies(n);
  for (float4& body : bodies)
    body = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());
  float4* in = upload(bodies);
  float3* out = allocate<float3>(n);
  bodyForces<<<(n + 255) / 256, 256>>>(in, out, n);
  std::vector<float3> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997) {
    double sum = 0;
    for (int j = 0; j < n / 16; ++j) {
      double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
             dz = bodies[j].z - bodies[i].z;
      sum += bodies[j].w * dx / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
    }
    passed &= near(got[i].x, sum, 1e-2);
  }
  return verdict(passed);
}
