// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda::pipeline, libcu++, dynamic shared
// Batches brought into shared memory by a pipeline of two stages while the one before is used; and
// the primitives of cuda_pipeline.h. Arguments: batches.
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

constexpr int THREADS = 64, STAGES = 2;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void blockPipeline(const int* in, int* out, int batches) {
  extern __shared__ int shared[];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + STAGES; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, shared + fetch % STAGES * THREADS, in + fetch * THREADS,
                         sizeof(int) * THREADS, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    int* now = shared + compute % STAGES * THREADS;
    out[compute * THREADS + threadIdx.x] = now[threadIdx.x] + now[THREADS - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

// Each thread for itself: no other thread reads what it brings.
__global__ void threadPipeline(const int* in, int* out, int batches) {
  __shared__ int buffer[STAGES][THREADS];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int b = 0; b < batches; ++b) {
    if (b + 1 < batches)
      __pipeline_memcpy_async(&buffer[(b + 1) % STAGES][t], &in[(b + 1) * THREADS + t],
                              sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += buffer[b % STAGES][t] * (b + 1);
  }
  out[t] = sum;
}

int main(int argc, char** argv) {
  int batches = argc > 1 ? atoi(argv[1]) : 9, n = batches * THREADS;
  int *in, *out, *sums;
  if (cudaMallocManaged(&in, n * 4) || cudaMallocManaged(&out, n * 4) ||
      cudaMallocManaged(&sums, THREADS * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i)
    in[i] = i * 13 % 101;
  blockPipeline<<<1, THREADS, STAGES * THREADS * sizeof(int)>>>(in, out, batches);
  threadPipeline<<<1, THREADS>>>(in, sums, batches);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int b = 0; b < batches; ++b)
    for (int t = 0; t < THREADS; ++t)
      bad += out[b * THREADS + t] != in[b * THREADS + t] + in[b * THREADS + THREADS - 1 - t];
  for (int t = 0; t < THREADS; ++t) {
    int sum = 0;
    for (int b = 0; b < batches; ++b)
      sum += in[b * THREADS + t] * (b + 1);
    bad += sums[t] != sum;
  }
  cudaFree(in), cudaFree(out), cudaFree(sums);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
