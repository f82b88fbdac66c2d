// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: atomics, half2, bfloat16, bfloat16: atomics
// Sums in half, half2, bfloat16 and its pair by atomics; small whole numbers, so every order is
// exact.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CHECK_CUDA_ERROR(val) check((val), #val, __FILE__, __LINE__)
void check(cudaError_t err, const char* func, const char* file, int line) {
  if (err != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error at: %s:%d\n%s %s\n", file, line, cudaGetErrorString(err),
            func);
    printf("FAIL\n");
    exit(EXIT_FAILURE);
  }
}

constexpr int BINS = 8;

struct Sums {
  __half2 h2[BINS];
  __nv_bfloat162 b2[BINS];
  __half h[BINS];
  __nv_bfloat16 b[BINS];
  __half2 shared[BINS];
};

__global__ void accumulate(Sums* sums, int n) {
  __shared__ __half2 local[BINS];
  if (threadIdx.x < BINS)
    local[threadIdx.x] = __float2half2_rn(0.0f);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = i % BINS;
    atomicAdd(&sums->h2[bin], __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(&sums->b2[bin], __floats2bfloat162_rn(1.0f, -1.0f));
    atomicAdd(&sums->h[bin], __float2half(0.5f));
    atomicAdd(&sums->b[bin], __float2bfloat16(2.0f));
    atomicAdd(&local[bin], __floats2half2_rn(-1.0f, 1.0f));
  }
  __syncthreads();
  if (threadIdx.x < BINS)
    atomicAdd(&sums->shared[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000; // up to 128 for each bin: exact in bfloat16
  if (n < 1 || n > 1024)
    return printf("between 1 and 1024\nFAIL\n"), 1;
  Sums *d, h;
  CHECK_CUDA_ERROR(cudaMalloc(&d, sizeof(Sums)));
  CHECK_CUDA_ERROR(cudaMemset(d, 0, sizeof(Sums)));
  accumulate<<<(n + 127) / 128, 128>>>(d, n);
  CHECK_CUDA_ERROR(cudaGetLastError());
  CHECK_CUDA_ERROR(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  int errors = 0;
  for (int bin = 0; bin < BINS; ++bin) {
    float count = (float)(n / BINS + (bin < n % BINS));
    float2 h2 = __half22float2(h.h2[bin]), b2 = __bfloat1622float2(h.b2[bin]),
           s = __half22float2(h.shared[bin]);
    bool good = h2.x == count && h2.y == 2 * count && b2.x == count && b2.y == -count &&
                s.x == -count && s.y == count && __half2float(h.h[bin]) == count / 2 &&
                __bfloat162float(h.b[bin]) == 2 * count;
    if (!good && errors++ < 8)
      printf("bin %d of %g: half2 (%g, %g) bf162 (%g, %g) half %g bf16 %g shared (%g, %g)\n", bin,
             count, h2.x, h2.y, b2.x, b2.y, __half2float(h.h[bin]), __bfloat162float(h.b[bin]), s.x,
             s.y);
  }
  CHECK_CUDA_ERROR(cudaFree(d));
  printf("%s\n", errors == 0 ? "PASS" : "FAIL");
  return errors == 0 ? 0 : 1;
}
