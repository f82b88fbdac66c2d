// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, grid sync, cudaLaunchCooperativeKernel, occupancy queries
// A wave equation whose steps are separated by grid sync in one cooperative launch. Arguments:
// cells steps.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define checkCudaErr(expr)                                                                         \
  do {                                                                                             \
    cudaError_t err__ = (expr);                                                                    \
    if (err__ != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(err__));                \
      puts("FAIL");                                                                                \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// Whole numbers modulo 2^32: any order gives the same bits.
__global__ void wave(unsigned* now, unsigned* before, int n, int steps,
                     unsigned long long* checks) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) {
      unsigned left = now[(i + n - 1) % n], right = now[(i + 1) % n];
      before[i] = left + right - before[i];
    }
    grid.sync();
    unsigned* t = now;
    now = before;
    before = t;
  }
  if (grid.thread_rank() == 0)
    checks[0] = grid.size(), checks[1] = grid.num_blocks(), checks[2] = grid.is_valid();
  if (grid.block_rank() == grid.num_blocks() - 1 && threadIdx.x == 0)
    checks[3] = grid.block_rank();
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, steps = argc > 2 ? atoi(argv[2]) : 16;
  int device = 0, cooperative = 0, perSm = 0;
  checkCudaErr(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
  cudaDeviceProp prop;
  checkCudaErr(cudaGetDeviceProperties(&prop, device));
  const int threads = 64;
  checkCudaErr(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, wave, threads, 0));
  int blocks = std::min(perSm * prop.multiProcessorCount, 8);
  if (!cooperative || blocks < 1) {
    puts("no cooperative launch\nFAIL");
    return 1;
  }
  std::vector<unsigned> now(n), before(n), got(n);
  for (int i = 0; i < n; ++i)
    now[i] = before[i] = (unsigned)(i * i);
  unsigned *dnow, *dbefore;
  unsigned long long *dchecks, checks[4];
  checkCudaErr(cudaMalloc(&dnow, n * sizeof(unsigned)));
  checkCudaErr(cudaMalloc(&dbefore, n * sizeof(unsigned)));
  checkCudaErr(cudaMalloc(&dchecks, sizeof checks));
  checkCudaErr(cudaMemcpy(dnow, now.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  checkCudaErr(cudaMemcpy(dbefore, before.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  void* args[] = {&dnow, &dbefore, &n, &steps, &dchecks};
  checkCudaErr(
      cudaLaunchCooperativeKernel((void*)wave, dim3(blocks), dim3(threads), args, 0, nullptr));
  checkCudaErr(cudaDeviceSynchronize());
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      before[i] = now[(i + n - 1) % n] + now[(i + 1) % n] - before[i];
    std::swap(now, before);
  }
  checkCudaErr(cudaMemcpy(got.data(), steps % 2 ? dbefore : dnow, n * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
  checkCudaErr(cudaMemcpy(checks, dchecks, sizeof checks, cudaMemcpyDeviceToHost));
  bool ok = got == now && checks[0] == (unsigned)(blocks * threads) &&
            checks[1] == (unsigned)blocks && checks[2] == 1 && checks[3] == (unsigned)blocks - 1;
  // More blocks than the device holds at once must be refused.
  cudaError_t refused = cudaLaunchCooperativeKernel(
      (void*)wave, dim3(perSm * prop.multiProcessorCount + 1), dim3(threads), args, 0, nullptr);
  ok = ok && refused == cudaErrorCooperativeLaunchTooLarge;
  cudaGetLastError();
  cudaFree(dnow), cudaFree(dbefore), cudaFree(dchecks);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
