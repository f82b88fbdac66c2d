// SPDX-License-Identifier: Apache-2.0
// Inline PTX that ends a thread: in a kernel, in a function that is inlined, in one that is not, and
// with a guard. Threads that ended are not waited for.
#include <cstdio>

#ifdef __clang__
#define APART __noinline__
#else
#define APART // of nvcc's functions only kernels may end a thread
#endif

__device__ __forceinline__ void leave() {
  asm volatile("exit;");
}

__device__ APART int oddLeaves(int i) {
  if (i % 2 == 1)
    leave();
  return 3 * i;
}

__global__ void ends(int* out) {
  const int i = threadIdx.x;
  out[i] = 1;
  if (i % 4 == 2)
    leave();
  out[i] = oddLeaves(i);
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, 40; @p exit; }" ::"r"(i));
  __syncthreads();
  out[i] += 1000;
}

int main() {
  int *out = nullptr, host[64], wrong = 0;
  cudaMalloc(&out, sizeof host);
  ends<<<1, 64>>>(out);
  const bool fine = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 64; ++i)
    wrong += host[i] != (i % 4 == 2 || i % 2 == 1 ? 1 : i > 40 ? 3 * i : 3 * i + 1000);
  std::printf("%d wrong\n%s\n", wrong, fine && wrong == 0 ? "PASS" : "FAIL");
  cudaFree(out);
  return fine && wrong == 0 ? 0 : 1;
}
