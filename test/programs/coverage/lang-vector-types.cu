// SPDX-License-Identifier: Apache-2.0
// COVERS: vector types, operators, double
// Own operators on float4 and friends, loads of 16 bytes, and every make_ function that people use.
#include <cstdio>
#include <cstdlib>

inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ float4 operator*(float4 a, float s) {
  return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}
inline __host__ __device__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline __host__ __device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

struct __align__(16) Packed {
  short4 s;
  uchar4 c;
  int i;
};

__host__ __device__ double everything(int i) {
  float3 u = make_float3(i, 1, 2), v = make_float3(3, i % 5, 1), w = cross(u, v);
  uint4 q = make_uint4(i, i * 2, i * 3, i * 4);
  int2 p = make_int2(-i, i);
  double2 d = make_double2(0.5 * i, 0.25);
  longlong2 l = make_longlong2((long long)i << 33, 1);
  ushort2 us = make_ushort2((unsigned short)(i * 1000), 3);
  char3 c = make_char3((char)(i % 100), -1, 2);
  dim3 g(i, 2);
  return dot(w, u) + dot(w, v) + q.x + q.y + q.z + q.w + p.x * p.y + d.x + d.y +
         (double)(l.x >> 33) + us.x + c.x * c.y * c.z + g.x * g.y * g.z;
}

__global__ void compute(const float4* in, float4* out, const Packed* packed, int* sums, double* all,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i] * 2.0f + in[n - 1 - i];
  Packed p = packed[i];
  sums[i] = p.s.x + p.s.w + p.c.y + p.i;
  all[i] = everything(i);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300, bad = 0;
  float4 *in, *out;
  Packed* packed;
  int* sums;
  double* all;
  if (cudaMallocManaged(&in, n * 16) || cudaMallocManaged(&out, n * 16) ||
      cudaMallocManaged(&packed, n * sizeof(Packed)) || cudaMallocManaged(&sums, n * 4) ||
      cudaMallocManaged(&all, n * 8))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i) {
    in[i] = make_float4(i, i + 1, i + 2, -i);
    packed[i] = {make_short4((short)i, 0, 0, (short)(-2 * i)),
                 make_uchar4(1, (unsigned char)i, 3, 4), i * 1000};
  }
  compute<<<(n + 63) / 64, 64>>>(in, out, packed, sums, all, n);
  bad += cudaDeviceSynchronize() != cudaSuccess || sizeof(Packed) != 16 || alignof(float4) != 16;
  for (int i = 0; i < n; ++i) {
    float4 w = in[i] * 2.0f + in[n - 1 - i];
    bad += w.x != out[i].x || w.y != out[i].y || w.z != out[i].z || w.w != out[i].w;
    bad += sums[i] != -i + (unsigned char)i + i * 1000 || all[i] != everything(i);
  }
  cudaFree(in), cudaFree(out), cudaFree(packed), cudaFree(sums), cudaFree(all);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
