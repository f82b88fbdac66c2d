// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: tex1Dfetch, vector types
// Linear memory behind textures: a sparse product that fetches its vector, and int4 and char
// texels.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t err = (call);                                                                      \
    if (err != cudaSuccess) {                                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err));                 \
      puts("FAIL");                                                                                \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

template <typename T> cudaTextureObject_t bind(const T* data, size_t n) {
  cudaResourceDesc res;
  memset(&res, 0, sizeof res);
  res.resType = cudaResourceTypeLinear;
  res.res.linear.devPtr = (void*)data;
  res.res.linear.desc = cudaCreateChannelDesc<T>();
  res.res.linear.sizeInBytes = n * sizeof(T);
  cudaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0;
  CUDA_CHECK(cudaCreateTextureObject(&tex, &res, &desc, NULL));
  return tex;
}

__global__ void spmv(int rows, const int* start, const int* column, const float* value,
                     cudaTextureObject_t x, float* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int k = start[r]; k < start[r + 1]; ++k)
    sum += value[k] * tex1Dfetch<float>(x, column[k]);
  y[r] = sum;
}

__global__ void others(cudaTextureObject_t four, cudaTextureObject_t bytes,
                       cudaTextureObject_t floats, int* out, int n) {
  int i = threadIdx.x;
  int4 v = tex1Dfetch<int4>(four, i);
  signed char c = tex1Dfetch<signed char>(bytes, i);
  float outside = tex1Dfetch<float>(floats, n + i); // behind the end: zero
  out[i] = v.x + v.y * 2 + v.z * 3 + v.w * 4 + 1000 * c + (outside == 0.0f ? 0 : 1);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<int> start(n + 1), column;
  std::vector<float> value, x(n), y(n);
  for (int r = 0; r < n; ++r) {
    start[r] = (int)column.size();
    x[r] = (float)(r % 13 - 6);
    for (int k = 0; k < 1 + r % 9; ++k) {
      column.push_back((r * 7 + k * 31) % n);
      value.push_back((float)(k + 1));
    }
  }
  start[n] = (int)column.size();
  int *dstart, *dcolumn, *dout;
  float *dvalue, *dx, *dy;
  CUDA_CHECK(cudaMalloc(&dstart, start.size() * 4));
  CUDA_CHECK(cudaMalloc(&dcolumn, column.size() * 4));
  CUDA_CHECK(cudaMalloc(&dvalue, value.size() * 4));
  CUDA_CHECK(cudaMalloc(&dx, n * 4));
  CUDA_CHECK(cudaMalloc(&dy, n * 4));
  CUDA_CHECK(cudaMemcpy(dstart, start.data(), start.size() * 4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dcolumn, column.data(), column.size() * 4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dvalue, value.data(), value.size() * 4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice));
  cudaTextureObject_t tx = bind(dx, n);
  spmv<<<(n + 127) / 128, 128>>>(n, dstart, dcolumn, dvalue, tx, dy);
  CUDA_CHECK(cudaMemcpy(y.data(), dy, n * 4, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = start[r]; k < start[r + 1]; ++k)
      sum += value[k] * x[column[k]];
    bad += sum != y[r];
  }
  int4 four[32];
  signed char bytes[32];
  for (int i = 0; i < 32; ++i) {
    four[i] = make_int4(i, -i, i * i, 7);
    bytes[i] = (signed char)(i - 16);
  }
  int4* dfour;
  signed char* dbytes;
  CUDA_CHECK(cudaMalloc(&dfour, sizeof four));
  CUDA_CHECK(cudaMalloc(&dbytes, sizeof bytes));
  CUDA_CHECK(cudaMalloc(&dout, 32 * 4));
  CUDA_CHECK(cudaMemcpy(dfour, four, sizeof four, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dbytes, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  cudaTextureObject_t t4 = bind(dfour, 32), t1 = bind(dbytes, 32);
  others<<<1, 32>>>(t4, t1, tx, dout, n);
  int out[32];
  CUDA_CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    bad += out[i] != i - 2 * i + 3 * i * i + 28 + 1000 * (i - 16);
  for (cudaTextureObject_t t : {tx, t4, t1})
    CUDA_CHECK(cudaDestroyTextureObject(t));
  for (void* p : {(void*)dstart, (void*)dcolumn, (void*)dvalue, (void*)dx, (void*)dy, (void*)dfour,
                  (void*)dbytes, (void*)dout})
    CUDA_CHECK(cudaFree(p));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
