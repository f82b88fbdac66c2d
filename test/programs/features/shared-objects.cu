// SPDX-License-Identifier: Apache-2.0
// COVERS: objects in shared memory
// Objects with a constructor or a destructor in shared memory: neither runs. nvcc warns where they
// do something.
#include "../check.h"

#include <cstdint>

#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ int calls;

struct Empty {
  int x;
  __device__ Empty() {}
};

struct Counted {
  int x;
  __device__ Counted() : x(3) { atomicAdd(&calls, 1); }
  __device__ ~Counted() { atomicAdd(&calls, 1); }
};

struct Member {
  int a = 4;
  float b;
};

template <class T> struct Complex {
  T re, im;
  __host__ __device__ Complex(T re = T(), T im = T()) : re(re), im(im) {}
};

template <class T> __device__ T backwards(const T* in) {
  __shared__ Complex<T> buffer[64];
  buffer[threadIdx.x] = Complex<T>(in[threadIdx.x], 1);
  __syncthreads();
  // Shared variables are static: a lambda that captures by value does not copy them.
  const auto sum = [=](int thread) { return buffer[thread].re + buffer[thread].im; };
  if (threadIdx.x % 2 == 0)
    buffer[threadIdx.x].im = 5;
  __syncthreads();
  return sum(63 - threadIdx.x);
}

__global__ void run(const float* in, float* out, int* sums) {
  __shared__ Empty empty;
  __shared__ Counted counted, more[2][3], *pointer;
  static __shared__ Counted once;
  alignas(128) __shared__ Counted wide;
  __shared__ alignas(64) Member member;
  __shared__ alignas(256) char plain[3];
  Member __shared__ last;
  __shared__ struct {
    Counted first;
    int second;
  } both;
  if (threadIdx.x == 0) {
    empty.x = counted.x = once.x = wide.x = 1;
    member = Member();
    last.a = more[1][2].x = 10;
    both.first.x = both.second = 100;
    pointer = &more[1][0];
    plain[2] = 7;
  }
  __syncthreads();
  const auto isAt = [](const void* address, int alignment) {
    return reinterpret_cast<uintptr_t>(address) % alignment == 0 ? 1000 : 0;
  };
  sums[blockIdx.x * 64 + threadIdx.x] =
      empty.x + counted.x + once.x + wide.x + member.a + last.a + pointer[2].x + both.first.x +
      both.second + plain[2] + isAt(&wide, 128) + isAt(&member, 64) + isAt(plain, 256);
  out[blockIdx.x * 64 + threadIdx.x] = backwards(in);
}

int main() {
  std::vector<float> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[i] = i * 0.5f;
  DeviceArray<float> in(numbers), out(3 * 64);
  DeviceArray<int> sums(3 * 64);
  run<<<3, 64>>>(in, out, sums);
  CHECK_LAUNCH();
  int called = -1;
  CHECK_CUDA(cudaMemcpyFromSymbol(&called, calls, sizeof called));
  expectEqual("constructors and destructors", called, 0);
  expectArray("sums", sums.read(), [](size_t) { return 4 + 4 + 20 + 200 + 7 + 3000; });
  expectArray("backwards", out.read(), [](size_t i) {
    const int from = 63 - int(i % 64);
    return from * 0.5f + (from % 2 == 0 ? 5 : 1);
  });
  return finish();
}
