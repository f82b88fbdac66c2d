// SPDX-License-Identifier: Apache-2.0
//
// heddle::thread_total against atomics of each thread, of every kind, and heddle::for_tiles around
// it: threads that end early, blocks of every shape.
#include <heddle/thread_total.cuh>
#include <heddle/tiles.cuh>

#include <cstdio>
#include <cstring>

constexpr int threads = 900;

struct Words {
  int sum, least, most, less;
  unsigned all, any, odd;
  unsigned long long wide;
  double one;
  float half; // whole numbers: exact in any order
};

__host__ __device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 15)) * 0x2c1b3c6du;
  return (i ^ (i >> 12)) * 0x297a2d39u;
}

__device__ int item(uint3 block) {
  return int(block.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x);
}

__global__ void plain(Words* w, int n) {
  const int i = item(blockIdx);
  if (i >= n || (mixed(i) & 15) < 5)
    return;
  atomicAdd(&w->sum, int(mixed(i + 1)));
  atomicMin(&w->least, int(mixed(i + 2)));
  atomicMax(&w->most, int(mixed(i + 3)));
  if (i & 1)
    atomicSub(&w->less, int(mixed(i + 4)));
  atomicAnd(&w->all, mixed(i + 5) | 0xff);
  atomicOr(&w->any, mixed(i + 6) & 0xff00);
  atomicXor(&w->odd, mixed(i + 7));
  atomicAdd(&w->wide, mixed(i + 8) * 0x10001ull);
  atomicAdd(&w->one, double(i));
  atomicAdd(&w->half, float(i & 7));
}

template <int Tiles> __global__ void joined(Words* w, int n) {
  if (!heddle::has_tiles<Tiles>())
    return;
  heddle::thread_total<int> sum;
  heddle::thread_total<int, heddle::minimum> least;
  heddle::thread_total<int, heddle::maximum> most;
  heddle::thread_total<int, heddle::minus> less;
  heddle::thread_total<unsigned, heddle::bit_and> all;
  heddle::thread_total<unsigned, heddle::bit_or> any;
  heddle::thread_total<unsigned, heddle::bit_xor> odd;
  heddle::thread_total<unsigned long long> wide;
  heddle::thread_total<double> one;
  heddle::thread_total<float> half;
  heddle::for_tiles<Tiles>([&](uint3 blockIdx) {
    const int i = item(blockIdx);
    if (i >= n || (mixed(i) & 15) < 5)
      return;
    sum.join(int(mixed(i + 1)));
    least.join(int(mixed(i + 2)));
    most.join(int(mixed(i + 3)));
    if (i & 1)
      less.join(int(mixed(i + 4)));
    all.join(mixed(i + 5) | 0xff);
    any.join(mixed(i + 6) & 0xff00);
    odd.join(mixed(i + 7));
    wide.join(mixed(i + 8) * 0x10001ull);
    one.join(i);
    half.join(float(i & 7));
  });
  sum.end(&w->sum);
  least.end(&w->least);
  most.end(&w->most);
  less.end(&w->less);
  all.end(&w->all);
  any.end(&w->any);
  odd.end(&w->odd);
  wide.end(&w->wide);
  one.end(&w->one);
  half.end(&w->half);
}

int main() {
  Words* device = nullptr;
  cudaMalloc(&device, sizeof(Words));
  int differ = 0, cases = 0;
  using Kernel = void (*)(Words*, int);
  for (const int n : {0, 5, threads})
    for (const dim3 block : {dim3(1), dim3(32), dim3(100), dim3(16, 8), dim3(1024)})
      for (const Kernel kernel : {Kernel(&joined<1>), Kernel(&joined<3>), Kernel(&joined<8>)}) {
        static Words found[2];
        for (const bool own : {false, true}) {
          const Words before = {1, 2000000000, -2000000000, 7, ~0u, 1, 3, 5, 2.0, 1.0f};
          cudaMemcpy(device, &before, sizeof(Words), cudaMemcpyHostToDevice);
          const unsigned grid = (threads + block.x * block.y - 1) / (block.x * block.y);
          (own ? kernel : &plain)<<<grid, block>>>(device, n);
          cudaMemcpy(&found[own], device, sizeof(Words), cudaMemcpyDeviceToHost);
        }
        ++cases;
        differ += std::memcmp(&found[0], &found[1], sizeof(Words)) != 0;
      }
  std::printf("%d cases, %d differ: %s\n", cases, differ, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
