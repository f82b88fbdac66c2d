// SPDX-License-Identifier: Apache-2.0
// Trap 12: a plain C++ file, compiled without CUDA, uses the runtime from several threads at once.
#include "../check.h"

#include <thread>

int main() {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int id = 0; id < 4; ++id)
    threads.emplace_back([id, &wrong] {
      for (int round = 0; round < 10; ++round) {
        float4* device = nullptr;
        std::vector<float4> values(100, make_float4(float(id), float(round), 0, 1)), back(100);
        const size_t bytes = values.size() * sizeof(float4);
        wrong[id] += cudaMalloc(&device, bytes) != cudaSuccess;
        wrong[id] +=
            cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess;
        wrong[id] += cudaMemcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess;
        wrong[id] += back[99].x != float(id) || back[99].y != float(round);
        wrong[id] += cudaFree(device) != cudaSuccess;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  expectArray("wrong", wrong, [](size_t) { return 0; });
  return finish();
}
