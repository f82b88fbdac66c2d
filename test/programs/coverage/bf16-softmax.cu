// SPDX-License-Identifier: Apache-2.0
// COVERS: bfloat16, bfloat16: softmax, warp shuffles
// Softmax of rows in bfloat16, one warp for each row, two numbers at a time. Arguments: rows
// columns.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_bf16.h>

#define WARP 32
#define CUDA_ASSERT(x)                                                                             \
  if (cudaError_t status = (x); status != cudaSuccess) {                                           \
    printf("line %d: %s\nFAIL\n", __LINE__, cudaGetErrorString(status));                           \
    exit(1);                                                                                       \
  }

__global__ void softmax(const __nv_bfloat162* in, __nv_bfloat162* out, int rows, int pairs) {
  int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
  if (row >= rows)
    return;
  in += row * pairs;
  out += row * pairs;
  float most = -FLT_MAX, sum = 0.0f;
  for (int i = lane; i < pairs; i += WARP) {
    float2 v = __bfloat1622float2(in[i]);
    float larger = fmaxf(most, fmaxf(v.x, v.y));
    sum = sum * __expf(most - larger) + __expf(v.x - larger) + __expf(v.y - larger);
    most = larger;
  }
  for (int mask = WARP / 2; mask; mask /= 2) {
    float otherMost = __shfl_xor_sync(0xffffffff, most, mask),
          otherSum = __shfl_xor_sync(0xffffffff, sum, mask);
    float larger = fmaxf(most, otherMost);
    sum = sum * __expf(most - larger) + otherSum * __expf(otherMost - larger);
    most = larger;
  }
  for (int i = lane; i < pairs; i += WARP) {
    float2 v = __bfloat1622float2(in[i]);
    out[i] = __floats2bfloat162_rn(__expf(v.x - most) / sum, __expf(v.y - most) / sum);
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 10, columns = argc > 2 ? atoi(argv[2]) & ~1 : 150;
  std::vector<__nv_bfloat16> in(rows * columns), out(rows * columns);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = __float2bfloat16(sinf((float)i * 0.37f) * 5.0f);
  void *din, *dout;
  size_t bytes = in.size() * sizeof(in[0]);
  CUDA_ASSERT(cudaMalloc(&din, bytes));
  CUDA_ASSERT(cudaMalloc(&dout, bytes));
  CUDA_ASSERT(cudaMemcpy(din, in.data(), bytes, cudaMemcpyHostToDevice));
  softmax<<<(rows + 3) / 4, 4 * WARP>>>((__nv_bfloat162*)din, (__nv_bfloat162*)dout, rows,
                                        columns / 2);
  CUDA_ASSERT(cudaGetLastError());
  CUDA_ASSERT(cudaMemcpy(out.data(), dout, bytes, cudaMemcpyDeviceToHost));
  int errors = 0;
  for (int r = 0; r < rows; ++r) {
    double most = -1e30, sum = 0, total = 0;
    for (int c = 0; c < columns; ++c)
      most = std::max(most, (double)__bfloat162float(in[r * columns + c]));
    for (int c = 0; c < columns; ++c)
      sum += exp(__bfloat162float(in[r * columns + c]) - most);
    for (int c = 0; c < columns; ++c) {
      double want = exp(__bfloat162float(in[r * columns + c]) - most) / sum,
             got = __bfloat162float(out[r * columns + c]);
      total += got;
      if (fabs(got - want) > want * 0.006 && errors++ < 5)
        printf("row %d column %d: %g, expected %g\n", r, c, got, want);
    }
    if (fabs(total - 1) > 0.01 && errors++ < 5)
      printf("row %d adds up to %g\n", r, total);
  }
  cudaFree(din);
  cudaFree(dout);
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors ? 1 : 0;
}
