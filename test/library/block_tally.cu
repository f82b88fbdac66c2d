// SPDX-License-Identifier: Apache-2.0
//
// heddle::block_tally against atomics of each thread: indices in front of it, inside and behind it,
// threads that end early, blocks of every shape.
#include <heddle/block_tally.cuh>

#include <cstdio>
#include <cstring>

constexpr int threads = 900, words = 40;

struct Sums {
  int before[4], counts[words];
  unsigned long long wide[words];
  float floats[words]; // whole numbers: exact in any order
  double one;
};

__host__ __device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 15)) * 0x2c1b3c6du;
  return (i ^ (i >> 12)) * 0x297a2d39u;
}

__global__ void plain(Sums* s, int n, int least) {
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (i >= n || (mixed(i) & 15) < 5)
    return;
  const int k = int(mixed(i + 1) % unsigned(words - least)) + least;
  atomicAdd(&s->counts[k], int(mixed(i + 2)));
  atomicAdd(&s->wide[(unsigned char)(k + 4) / 2], mixed(i + 3) * 0x10001ull);
  if (i & 1)
    atomicAdd(&s->floats[k > 0 ? k : 0], float(i));
  atomicAdd(&s->one, double(i));
}

template <int Words, int Copies = 1> __global__ void tallied(Sums* s, int n, int least) {
  __shared__ heddle::block_tally<int, Words, Copies> counts;
  __shared__ heddle::block_tally<unsigned long long, Words, Copies> wide;
  __shared__ heddle::block_tally<float, Words, Copies> floats;
  __shared__ heddle::block_tally<double, 1, Copies> one;
  counts.begin();
  wide.begin();
  floats.begin();
  one.begin();
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (i >= n || (mixed(i) & 15) < 5)
    return;
  const int k = int(mixed(i + 1) % unsigned(words - least)) + least;
  counts.add(s->counts, k, int(mixed(i + 2)));
  wide.add(s->wide, (unsigned char)((unsigned char)(k + 4) / 2), mixed(i + 3) * 0x10001ull);
  if (i & 1)
    floats.add(s->floats, (long long)(k > 0 ? k : 0), float(i));
  one.add(&s->one, 0, i);
  counts.end(s->counts);
  wide.end(s->wide);
  floats.end(s->floats);
  one.end(&s->one);
}

int main() {
  Sums* device = nullptr;
  cudaMalloc(&device, sizeof(Sums));
  int differ = 0, cases = 0;
  using Kernel = void (*)(Sums*, int, int);
  for (const int least : {-3, 0, 30})
    for (const dim3 block : {dim3(32), dim3(100), dim3(16, 8), dim3(256)})
      for (const Kernel kernel : {Kernel(&tallied<1>), Kernel(&tallied<7>), Kernel(&tallied<256>),
                                  Kernel(&tallied<7, 8>), Kernel(&tallied<16, 32>)}) {
        static Sums found[2];
        for (const bool apart : {false, true}) {
          cudaMemset(device, 0, sizeof(Sums));
          const unsigned grid = (threads + block.x * block.y - 1) / (block.x * block.y);
          (apart ? kernel : &plain)<<<grid, block>>>(device, threads, least);
          cudaMemcpy(&found[apart], device, sizeof(Sums), cudaMemcpyDeviceToHost);
        }
        ++cases;
        differ += std::memcmp(&found[0], &found[1], sizeof(Sums)) != 0;
      }
  std::printf("%d cases, %d differ: %s\n", cases, differ, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
