// SPDX-License-Identifier: Apache-2.0
//
// heddle::curand_init (heddle/random.cuh) against curand_init: a state a thread, at the sequence of
// its number, in blocks of 256, or of a pixel in tiles of 16 by 16. The states are compared.
//
//   shared_init [--samples N]   needs nvcc -std=c++17 -I cuda/include
#include "benchmark.cuh"

#include <heddle/random.cuh>

namespace {

using benchmark::Record;

template <bool Shared> __global__ void start(curandState* states, int width, int n) {
  const int i =
      int((blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n)
    return;
  if (Shared)
    heddle::curand_init(1234, i, 0, &states[i]);
  else
    curand_init(1234, i, 0, &states[i]);
}

__global__ void compare(const curandState* a, const curandState* b, int n, int* differ) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n)
    return;
  bool same = a[i].d == b[i].d;
  for (int k = 0; k < 5; ++k)
    same = same && a[i].v[k] == b[i].v[k];
  if (!same)
    atomicAdd(differ, 1);
}

void bench(int n, int width, dim3 grid, dim3 block, int samples) {
  benchmark::DeviceArray<curandState> plain(n), shared(n);
  benchmark::DeviceArray<int> differ(std::vector<int>{0});
  const auto times =
      benchmark::timeInTurns({[&](int) { start<false><<<grid, block>>>(plain.data(), width, n); },
                              [&](int) { start<true><<<grid, block>>>(shared.data(), width, n); }},
                             samples);
  compare<<<(n + 255) / 256, 256>>>(plain.data(), shared.data(), n, differ.data());
  if (const int count = differ.values()[0]; count != 0)
    study::stop(1, std::to_string(count) + " states differ");
  Record("shared_init")
      .set("states", n)
      .set("block", int(block.x))
      .compare(times[1], "curand_init", times[0]);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int samples = int(arguments.number("samples", 21));
  arguments.done();
  for (const int n : {100, 10000, 100000, 1000000})
    bench(n, 0, (n + 255) / 256, 256, samples);
  for (const unsigned side : {64u, 1024u})
    bench(int(side * side), int(side), dim3(side / 16, side / 16), dim3(16, 16), samples);
  return 0;
}
