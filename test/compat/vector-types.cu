// Sizes and alignments of the vector types, the same for host and device.
#include <cuda_runtime.h>

#define SAME(type, size, alignment) static_assert(sizeof(type) == size && alignof(type) == alignment, #type)
SAME(char2, 2, 2);
SAME(char3, 3, 1);
SAME(uchar4, 4, 4);
SAME(short4, 8, 8);
SAME(int2, 8, 8);
SAME(int3, 12, 4);
SAME(uint4, 16, 16);
SAME(float2, 8, 8);
SAME(float3, 12, 4);
SAME(float4, 16, 16);
SAME(longlong2, 16, 16);
SAME(longlong4, 32, 16);
SAME(double2, 16, 16);
SAME(double3, 24, 8);
SAME(double4, 32, 16);
SAME(dim3, 12, 4);

// CHECK: define {{.*}}@vectors
extern "C" __global__ void vectors(float4* o, const float4* in) {
  const float4 a = in[threadIdx.x];
  const int2 b = make_int2(1, 2);
  o[threadIdx.x] = make_float4(a.x + b.x, a.y + b.y, a.z, a.w);
}
