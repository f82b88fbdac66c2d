// SPDX-License-Identifier: Apache-2.0
// float2, float4, int3, uchar4, double2 and their kin: sizes, alignment, wide loads and stores,
// make_ functions.
#include "../check.h"

struct Sizes {
  int size[8], alignment[8];
};

__host__ __device__ Sizes sizes() {
  return {{sizeof(float2), sizeof(float3), sizeof(float4), sizeof(uchar4), sizeof(double2),
           sizeof(longlong2), sizeof(short2), sizeof(int3)},
          {alignof(float2), alignof(float3), alignof(float4), alignof(uchar4), alignof(double2),
           alignof(longlong2), alignof(short2), alignof(int3)}};
}

__host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__host__ __device__ float4 operator*(float s, float4 a) {
  return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
}

__global__ void run(const float4* __restrict__ in, float4* out, uchar4* bytes, double2* doubles,
                    int3* triples, Sizes* all) {
  const int i = threadIdx.x, n = blockDim.x;
  const float4 v = in[i], w = __ldg(&in[n - 1 - i]);
  out[i] = 2.0f * v + w;
  bytes[i] = make_uchar4(i, 2 * i, 3 * i, 255 - i);
  bytes[i].y += 1;
  doubles[i] = make_double2(v.x * 0.5, -v.w);
  triples[i] = make_int3(i, i * i, -i);
  if (i == 0)
    *all = sizes();
}

int main() {
  const int n = 64;
  std::vector<float4> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  DeviceArray<float4> device(in), out(n);
  DeviceArray<uchar4> bytes(n);
  DeviceArray<double2> doubles(n);
  DeviceArray<int3> triples(n);
  DeviceArray<Sizes> all(1);
  run<<<1, n>>>(device, out, bytes, doubles, triples, all);
  CHECK_LAUNCH();
  const std::vector<float4> gotOut = out.read();
  const std::vector<uchar4> gotBytes = bytes.read();
  const std::vector<double2> gotDoubles = doubles.read();
  const std::vector<int3> gotTriples = triples.read();
  for (int i = 0; i < n; ++i) {
    const float4 want = 2.0f * in[i] + in[n - 1 - i], got = gotOut[i];
    expectTrue("float4", got.x == want.x && got.y == want.y && got.z == want.z && got.w == want.w);
    const uchar4 b = gotBytes[i];
    expectTrue("uchar4", b.x == i && b.y == 2 * i + 1 && b.z == 3 * i && b.w == 255 - i);
    expectTrue("double2", gotDoubles[i].x == i * 0.5 && gotDoubles[i].y == -(i + 0.75));
    expectTrue("int3", gotTriples[i].x == i && gotTriples[i].y == i * i && gotTriples[i].z == -i);
  }
  const Sizes onDevice = all.read()[0], onHost = sizes();
  for (int k = 0; k < 8; ++k) {
    expectEqual("size", onDevice.size[k], onHost.size[k]);
    expectEqual("alignment", onDevice.alignment[k], onHost.alignment[k]);
  }
  return finish();
}
