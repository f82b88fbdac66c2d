// SPDX-License-Identifier: Apache-2.0
// Power iteration on a sparse matrix in managed memory, with prefetches and access advice, and the
// host watching the eigenvalue.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                                                   \
  do {                                                                                             \
    cudaError_t rc_ = (call);                                                                      \
    if (rc_ != cudaSuccess) {                                                                      \
      fprintf(stdout, "FAIL %s at line %d\n", cudaGetErrorString(rc_), __LINE__);                  \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* Machines without concurrent managed access refuse prefetches and advice: that is no error for us.
 */
static int hints;

static void prefetch(const void* p, size_t bytes, int toDevice) {
  if (!hints)
    return;
#if CUDART_VERSION >= 13000
  cudaMemLocation where;
  where.type = toDevice ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  where.id = 0;
  cudaMemPrefetchAsync(p, bytes, where, 0, 0);
#else
  cudaMemPrefetchAsync(p, bytes, toDevice ? 0 : cudaCpuDeviceId, 0);
#endif
  cudaGetLastError();
}

static void advise(const void* p, size_t bytes, cudaMemoryAdvise advice, int device) {
  if (!hints)
    return;
#if CUDART_VERSION >= 13000
  cudaMemLocation where;
  where.type = device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  where.id = 0;
  cudaMemAdvise(p, bytes, advice, where);
#else
  cudaMemAdvise(p, bytes, advice, device ? 0 : cudaCpuDeviceId);
#endif
  cudaGetLastError();
}

__global__ void spmv_scalar(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                            const float* __restrict__ val, const float* __restrict__ x, float* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float s = 0;
  for (int k = ptr[r]; k < ptr[r + 1]; k++)
    s += val[k] * x[col[k]];
  y[r] = s;
}

__global__ void spmv_vector(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                            const float* __restrict__ val, const float* __restrict__ x, float* y) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 3; /* eight lanes to a row */
  int lane = threadIdx.x & 7;
  float s = 0;
  if (r < rows)
    for (int k = ptr[r] + lane; k < ptr[r + 1]; k += 8)
      s += val[k] * x[col[k]];
  for (int o = 4; o; o >>= 1)
    s += __shfl_xor_sync(0xffffffffu, s, o, 8);
  if (lane == 0 && r < rows)
    y[r] = s;
}

/* sums[0] += x.y, sums[1] += y.y */
__global__ void dots(int n, const float* x, const float* y, double* sums) {
  __shared__ double a[8], b[8];
  double p = 0, q = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    p += (double)x[i] * y[i];
    q += (double)y[i] * y[i];
  }
  for (int o = 16; o; o >>= 1) {
    p += __shfl_down_sync(0xffffffffu, p, o);
    q += __shfl_down_sync(0xffffffffu, q, o);
  }
  if ((threadIdx.x & 31) == 0) {
    a[threadIdx.x >> 5] = p;
    b[threadIdx.x >> 5] = q;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++) {
      p += a[w];
      q += b[w];
    }
    atomicAdd(&sums[0], p);
    atomicAdd(&sums[1], q);
  }
}

__global__ void normalize(int n, const float* y, float* x, const double* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float inv = (float)(1.0 / sqrt(sums[1]));
  if (i < n)
    x[i] = y[i] * inv;
}

/* new weights for the entries, as an outer loop of the application would make them */
__global__ void reweight(int nnz, float* val, float factor) {
  int stride = gridDim.x * blockDim.x;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < nnz; k += stride)
    val[k] = val[k] * factor + 0.001f;
}

static unsigned rng = 7;
static unsigned nextRandom(void) {
  rng = rng * 1664525u + 1013904223u;
  return rng >> 4;
}

static void hostSpmv(int rows, const int* ptr, const int* col, const float* val, const double* x,
                     double* y) {
  for (int r = 0; r < rows; r++) {
    double s = 0;
    for (int k = ptr[r]; k < ptr[r + 1]; k++)
      s += val[k] * x[col[k]];
    y[r] = s;
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 8192;
  OK(cudaDeviceGetAttribute(&hints, cudaDevAttrConcurrentManagedAccess, 0));
  int *ptr, *col;
  float *val, *x, *y;
  double* sums;
  OK(cudaMallocManaged((void**)&ptr, (rows + 1) * sizeof(int), cudaMemAttachGlobal));
  /* a banded part and a few far entries; every 64th row is long */
  ptr[0] = 0;
  for (int r = 0; r < rows; r++)
    ptr[r + 1] = ptr[r] + (r % 64 == 0 ? 96 : 6 + nextRandom() % 14);
  int nnz = ptr[rows];
  OK(cudaMallocManaged((void**)&col, nnz * sizeof(int), cudaMemAttachGlobal));
  OK(cudaMallocManaged((void**)&val, nnz * sizeof(float), cudaMemAttachGlobal));
  OK(cudaMallocManaged((void**)&x, rows * sizeof(float), cudaMemAttachGlobal));
  OK(cudaMallocManaged((void**)&y, rows * sizeof(float), cudaMemAttachGlobal));
  OK(cudaMallocManaged((void**)&sums, 2 * sizeof(double), cudaMemAttachGlobal));
  float* orig = (float*)malloc(nnz * sizeof(float));
  for (int r = 0; r < rows; r++)
    for (int k = ptr[r]; k < ptr[r + 1]; k++) {
      int far = nextRandom() % 4 == 0;
      col[k] = far ? nextRandom() % rows : (r + (int)(nextRandom() % 65) + rows - 32) % rows;
      val[k] = orig[k] = (nextRandom() % 1000) * 0.001f + (col[k] == r ? 2.0f : 0.0f);
    }
  for (int i = 0; i < rows; i++)
    x[i] = 1.0f / sqrtf((float)rows);

  advise(ptr, (rows + 1) * sizeof(int), cudaMemAdviseSetReadMostly, 1);
  advise(col, nnz * sizeof(int), cudaMemAdviseSetReadMostly, 1);
  advise(val, nnz * sizeof(float), cudaMemAdviseSetPreferredLocation, 1);
  advise(sums, 2 * sizeof(double), cudaMemAdviseSetAccessedBy, 0);
  prefetch(ptr, (rows + 1) * sizeof(int), 1);
  prefetch(col, nnz * sizeof(int), 1);
  prefetch(val, nnz * sizeof(float), 1);
  prefetch(x, rows * sizeof(float), 1);

  const int iterations = 8;
  double lambda[16], reference[16];
  int tpb = 256;
  for (int it = 0; it < iterations; it++) {
    sums[0] = sums[1] = 0; /* the host touches the page before every iteration */
    if (it == iterations / 2)
      reweight<<<64, tpb>>>(nnz, val, 0.9f);
    if (it & 1)
      spmv_vector<<<(rows * 8 + tpb - 1) / tpb, tpb>>>(rows, ptr, col, val, x, y);
    else
      spmv_scalar<<<(rows + tpb - 1) / tpb, tpb>>>(rows, ptr, col, val, x, y);
    dots<<<32, tpb>>>(rows, x, y, sums);
    normalize<<<(rows + tpb - 1) / tpb, tpb>>>(rows, y, x, sums);
    OK(cudaDeviceSynchronize());
    lambda[it] = sums[0];
  }
  prefetch(x, rows * sizeof(float), 0);
  OK(cudaDeviceSynchronize());

  double* hx = (double*)malloc(rows * sizeof(double));
  double* hy = (double*)malloc(rows * sizeof(double));
  for (int i = 0; i < rows; i++)
    hx[i] = 1.0 / sqrt((double)rows);
  int bad = 0;
  for (int it = 0; it < iterations; it++) {
    if (it == iterations / 2)
      for (int k = 0; k < nnz; k++)
        orig[k] = orig[k] * 0.9f + 0.001f;
    hostSpmv(rows, ptr, col, orig, hx, hy);
    double d = 0, q = 0;
    for (int i = 0; i < rows; i++) {
      d += hx[i] * hy[i];
      q += hy[i] * hy[i];
    }
    q = 1 / sqrt(q);
    for (int i = 0; i < rows; i++)
      hx[i] = hy[i] * q;
    reference[it] = d;
    if (!(fabs(d - lambda[it]) < 1e-4 * fabs(d)))
      bad++;
  }
  for (int i = 0; i < rows; i++)
    if (!(fabs(x[i] - hx[i]) < 1e-4 * fabs(hx[i]) + 1e-7))
      bad++;
  printf("lambda %.6f (reference %.6f)\n", lambda[iterations - 1], reference[iterations - 1]);
  free(orig);
  free(hx);
  free(hy);
  OK(cudaFree(ptr));
  OK(cudaFree(col));
  OK(cudaFree(val));
  OK(cudaFree(x));
  OK(cudaFree(y));
  OK(cudaFree(sums));
  puts(bad ? "FAIL values differ" : "PASS");
  return bad ? 1 : 0;
}
