// SPDX-License-Identifier: Apache-2.0
// COVERS: __launch_bounds__, __ldg, __restrict__, unroll, vector types
// An n-body step with float4 bodies, restrict, __ldg, unrolling and launch bounds. Arguments:
// bodies.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 128
#define SOFT 1e-3f

__device__ __forceinline__ float3 interact(float4 a, float4 b, float3 acc) {
  float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  float d = r.x * r.x + r.y * r.y + r.z * r.z + SOFT, inv = rsqrtf(d), s = b.w * inv * inv * inv;
  acc.x += r.x * s;
  acc.y += r.y * s;
  acc.z += r.z * s;
  return acc;
}

__global__ void __launch_bounds__(BLOCK, 2)
    forces(const float4* __restrict__ bodies, float3* __restrict__ out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = i < n ? __ldg(&bodies[i]) : make_float4(0, 0, 0, 0);
  float3 acc = make_float3(0, 0, 0);
  __shared__ float4 tile[BLOCK];
  for (int base = 0; base < n; base += BLOCK) {
    tile[threadIdx.x] =
        base + threadIdx.x < n ? __ldg(bodies + base + threadIdx.x) : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; ++j)
      acc = interact(me, tile[j], acc);
    __syncthreads();
  }
  if (i < n)
    out[i] = acc;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300;
  std::vector<float4> bodies(n);
  std::vector<float3> got(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = make_float4(sinf(i * 1.3f), cosf(i * 0.7f), sinf(i * 2.1f + 1), 1.0f / n);
  float4* db;
  float3* df;
  if (cudaMalloc(&db, n * sizeof(float4)) || cudaMalloc(&df, n * sizeof(float3)))
    return puts("FAIL"), 1;
  cudaMemcpy(db, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  cudaEventRecord(a);
  forces<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(db, df, n);
  cudaEventRecord(b);
  cudaError_t e = cudaMemcpy(got.data(), df, n * sizeof(float3), cudaMemcpyDeviceToHost);
  float ms = 0;
  cudaEventElapsedTime(&ms, a, b);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, forces);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double f[3] = {0, 0, 0};
    for (int j = 0; j < n; ++j) {
      double x = bodies[j].x - bodies[i].x, y = bodies[j].y - bodies[i].y,
             z = bodies[j].z - bodies[i].z;
      double s = bodies[j].w / pow(x * x + y * y + z * z + SOFT, 1.5);
      f[0] += x * s, f[1] += y * s, f[2] += z * s;
    }
    double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) + 0.1;
    worst =
        fmax(worst, (fabs(got[i].x - f[0]) + fabs(got[i].y - f[1]) + fabs(got[i].z - f[2])) / size);
  }
  cudaFree(db), cudaFree(df);
  bool ok = e == cudaSuccess && worst < 1e-3 && attributes.maxThreadsPerBlock == BLOCK;
  fprintf(stderr, "%.3f ms\n", ms);
  printf("difference %s, at most %d threads\n%s\n", worst < 1e-3 ? "small" : "large",
         attributes.maxThreadsPerBlock, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
