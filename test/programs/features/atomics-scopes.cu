// SPDX-License-Identifier: Apache-2.0
// The _block and _system forms of the atomics, on shared, global and mapped host memory.
#include "../check.h"

__global__ void run(int* perBlock, unsigned* all, int* host, unsigned long long* wide,
                    double* sums) {
  __shared__ int local;
  const int t = threadIdx.x;
  if (t == 0)
    local = 0;
  __syncthreads();
  atomicAdd_block(&local, 2);
  atomicSub_block(&local, 1);
  int* mine = perBlock + blockIdx.x * 5;
  atomicMax_block(&mine[0], t);
  atomicOr_block(&mine[1], 1 << (t % 31));
  atomicExch_block(&mine[2], 9);
  atomicCAS_block(&mine[3], 0, 5);
  atomicAdd_system(&all[0], 3u);
  atomicInc_system(&all[1], 1000000u);
  atomicMin_system(&all[2], unsigned(t) + 10u);
  atomicXor_system(&all[3], 1u << t % 32);
  atomicAdd_system(host, 1);
  atomicAdd_system(&wide[0], 1ull << 33);
  atomicCAS_system(&wide[1], 0ull, ~0ull);
  atomicAdd_block(&sums[blockIdx.x], 0.5);
  __syncthreads();
  if (t == 0)
    mine[4] = local;
}

int main() {
  const int blocks = 3, threads = 96;
  int *host = nullptr, *mapped = nullptr;
  CHECK_CUDA(cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped));
  *host = 7;
  CHECK_CUDA(cudaHostGetDevicePointer(&mapped, host, 0));
  DeviceArray<int> perBlock(std::vector<int>(blocks * 5, 0));
  DeviceArray<unsigned> all(std::vector<unsigned>{0, 0, ~0u, 0});
  DeviceArray<unsigned long long> wide(std::vector<unsigned long long>{1, 0});
  DeviceArray<double> sums(std::vector<double>(blocks, 0.0));
  run<<<blocks, threads>>>(perBlock, all, mapped, wide, sums);
  CHECK_LAUNCH();
  expectArray("of a block", perBlock.read(), [](size_t i) {
    const int want[5] = {threads - 1, 0x7fffffff, 9, 5, threads};
    return want[i % 5];
  });
  const unsigned wantAll[4] = {3 * blocks * threads, blocks * threads, 10, 0xffffffffu};
  expectArray("of all", all.read(), [&](size_t i) { return wantAll[i]; });
  expectEqual("host memory", *host, 7 + blocks * threads);
  expectEqual("wide sum", wide.read()[0], 1 + ((unsigned long long)(blocks * threads) << 33));
  expectEqual("wide swap", wide.read()[1], ~0ull);
  expectArray("sums", sums.read(), [](size_t) { return threads * 0.5; });
  CHECK_CUDA(cudaFreeHost(host));
  return finish();
}
