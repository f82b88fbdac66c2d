// SPDX-License-Identifier: Apache-2.0
// nvcc takes special registers in inline PTX with one sign or with two; clang wants two.
#include <cstdio>

#define LANE(to) asm volatile("mov.u32 %0, %laneid;" : "=r"(to))

__device__ __forceinline__ unsigned lane() {
  unsigned r;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(r));
  return r;
}

__global__ void ask(unsigned* out) {
  unsigned two, macro, below, block, size;
  asm("mov.u32 %0, %%laneid;" : "=r"(two));
  LANE(macro);
  asm("{ .reg .u32 t; mov.u32 t, %lanemask_lt;\n\t"
      "  mov.u32 %0, t;\n\t"
      "  mov.u32 %1, %ctaid.x;  mov.u32 %2, %ntid.x; }"
      : "=r"(below), "=r"(block), "=r"(size));
  const unsigned i = block * size + threadIdx.x;
  out[i] = lane() + 100 * two + 10000 * macro + (below == (1u << lane()) - 1 ? 1000000 : 0);
}

int main() {
  unsigned *out = nullptr, host[128], wrong = 0;
  cudaMalloc(&out, sizeof host);
  ask<<<2, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 128; ++i)
    wrong += host[i] != i % 32 * 10101 + 1000000;
  std::printf("%u wrong\n%s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
  cudaFree(out);
  return wrong == 0 ? 0 : 1;
}
