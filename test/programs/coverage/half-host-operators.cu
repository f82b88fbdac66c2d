// SPDX-License-Identifier: Apache-2.0
// COVERS: half, half: host operators, bfloat16
// The same __host__ __device__ function in half on the host and on the device: equal bits.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using half_t = __half;

#define checkCuda(x)                                                                               \
  if (cudaError_t e_ = (x)) {                                                                      \
    printf("%s failed: %s\nFAIL\n", #x, cudaGetErrorName(e_));                                     \
    return 1;                                                                                      \
  }

// No product feeds a sum here, so that nothing can be fused on one side only.
__host__ __device__ half_t mix(half_t a, half_t b) {
  half_t s = a + b;
  half_t d = a - b;
  if (s > d)
    return s * half_t(0.5f);
  if (d == half_t(0.0f))
    return -s;
  return d < half_t(0.0f) ? d : s;
}

__host__ __device__ __nv_bfloat16 mixBrain(__nv_bfloat16 a, __nv_bfloat16 b) {
  __nv_bfloat16 larger = a > b ? a : b;
  return larger * larger;
}

__global__ void onDevice(const half_t* a, const half_t* b, half_t* c, __nv_bfloat16* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = mix(a[i], b[i]);
    d[i] = mixBrain(__nv_bfloat16(__half2float(a[i])), __nv_bfloat16(__half2float(b[i])));
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2000;
  std::vector<half_t> a(n), b(n), c(n);
  std::vector<__nv_bfloat16> d(n);
  srand(7);
  for (int i = 0; i < n; ++i) {
    a[i] = half_t((float)(rand() % 2001 - 1000) / 64);
    b[i] = half_t((float)(rand() % 2001 - 1000) / 64);
  }
  half_t *da, *db, *dc;
  __nv_bfloat16* dd;
  checkCuda(cudaMalloc(&da, n * sizeof(half_t)));
  checkCuda(cudaMalloc(&db, n * sizeof(half_t)));
  checkCuda(cudaMalloc(&dc, n * sizeof(half_t)));
  checkCuda(cudaMalloc(&dd, n * sizeof(__nv_bfloat16)));
  checkCuda(cudaMemcpy(da, a.data(), n * sizeof(half_t), cudaMemcpyHostToDevice));
  checkCuda(cudaMemcpy(db, b.data(), n * sizeof(half_t), cudaMemcpyHostToDevice));
  onDevice<<<(n + 255) / 256, 256>>>(da, db, dc, dd, n);
  checkCuda(cudaGetLastError());
  checkCuda(cudaMemcpy(c.data(), dc, n * sizeof(half_t), cudaMemcpyDeviceToHost));
  checkCuda(cudaMemcpy(d.data(), dd, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    half_t want = mix(a[i], b[i]);
    __nv_bfloat16 brain =
        mixBrain(__nv_bfloat16(__half2float(a[i])), __nv_bfloat16(__half2float(b[i])));
    if (memcmp(&want, &c[i], 2) || memcmp(&brain, &d[i], 2))
      if (wrong++ < 5)
        printf("%d: device %g and %g, host %g and %g\n", i, (float)c[i], (float)d[i], (float)want,
               (float)brain);
  }
  cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd);
  printf("%d of %d differ\n%s\n", wrong, n, wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
