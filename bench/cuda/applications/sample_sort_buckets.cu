// SPDX-License-Identifier: Apache-2.0
// Sample sort of floats: splitters from a sample, buckets by atomics, a block sorts each.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define BUCKETS 256
#define OVERSAMPLE 16
#define SAMPLE (BUCKETS * OVERSAMPLE)
#define BUCKET_CAP 4096 /* floats in shared memory */

static void ok(cudaError_t e, const char* where) {
  if (e != cudaSuccess) {
    printf("FAIL %s: %s\n", where, cudaGetErrorString(e));
    exit(1);
  }
}

__device__ unsigned scramble(unsigned x) {
  x ^= x >> 17;
  x *= 0xed5ad4bbu;
  x ^= x >> 11;
  x *= 0xac4c1b51u;
  x ^= x >> 15;
  return x;
}

/* roughly normal values */
__global__ void make_values(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0.0f;
    for (unsigned k = 0; k < 6; k++)
      s += scramble((unsigned)i * 6u + k) * 2.3283064e-10f - 0.5f;
    v[i] = s;
  }
}

/* one block: takes a sample, sorts it, keeps every OVERSAMPLE-th value */
__global__ void make_splitters(const float* v, int n, float* splitter) {
  __shared__ float s[SAMPLE];
  for (int i = threadIdx.x; i < SAMPLE; i += blockDim.x)
    s[i] = v[scramble(i + 1000003u) % (unsigned)n];
  __syncthreads();
  for (int k = 2; k <= SAMPLE; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      for (int i = threadIdx.x; i < SAMPLE; i += blockDim.x) {
        int p = i ^ j;
        if (p > i) {
          float a = s[i], b = s[p];
          if ((a > b) == ((i & k) == 0)) {
            s[i] = b;
            s[p] = a;
          }
        }
      }
      __syncthreads();
    }
  for (int i = threadIdx.x; i < BUCKETS - 1; i += blockDim.x)
    splitter[i] = s[(i + 1) * OVERSAMPLE];
}

__device__ int bucket_of(const float* splitter, float x) {
  int lo = 0, hi = BUCKETS - 1; /* number of splitters that are <= x */
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (splitter[mid] <= x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__global__ void classify(const float* v, int n, const float* splitter, unsigned char* bucket,
                         int* count) {
  __shared__ float sp[BUCKETS];
  __shared__ int local[BUCKETS];
  for (int i = threadIdx.x; i < BUCKETS; i += blockDim.x) {
    sp[i] = i < BUCKETS - 1 ? splitter[i] : 0.0f;
    local[i] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = bucket_of(sp, v[i]);
    bucket[i] = (unsigned char)b;
    atomicAdd(&local[b], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BUCKETS; i += blockDim.x)
    if (local[i])
      atomicAdd(&count[i], local[i]);
}

/* a serial scan by a single thread: there are only a few buckets */
__global__ void bucket_starts(const int* count, int* start, int* cursor) {
  int sum = 0;
  for (int b = 0; b < BUCKETS; b++) {
    start[b] = sum;
    cursor[b] = sum;
    sum += count[b];
  }
  start[BUCKETS] = sum;
}

__global__ void distribute(const float* v, int n, const unsigned char* bucket, int* cursor,
                           float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[atomicAdd(&cursor[bucket[i]], 1)] = v[i];
}

__global__ void sort_bucket(float* v, const int* start) {
  __shared__ float s[BUCKET_CAP];
  int beg = start[blockIdx.x];
  int len = start[blockIdx.x + 1] - beg;
  if (len <= BUCKET_CAP) {
    int p2 = 1;
    while (p2 < len)
      p2 *= 2;
    for (int i = threadIdx.x; i < p2; i += blockDim.x)
      s[i] = i < len ? v[beg + i] : 3.0e38f;
    __syncthreads();
    for (int k = 2; k <= p2; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1) {
        for (int t = threadIdx.x; t < p2 / 2; t += blockDim.x) {
          int i = (t / j) * 2 * j + (t % j);
          float a = s[i], b = s[i + j];
          if ((a > b) == ((i & k) == 0)) {
            s[i] = b;
            s[i + j] = a;
          }
        }
        __syncthreads();
      }
    for (int i = threadIdx.x; i < len; i += blockDim.x)
      v[beg + i] = s[i];
  } else {
    /* too many for shared memory: odd-even transposition, slow but seldom */
    for (int r = 0; r < len; r++) {
      for (int i = (r & 1) + 2 * threadIdx.x; i + 1 < len; i += 2 * blockDim.x)
        if (v[beg + i] > v[beg + i + 1]) {
          float t = v[beg + i];
          v[beg + i] = v[beg + i + 1];
          v[beg + i + 1] = t;
        }
      __syncthreads();
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40000;
  float *v, *out, *splitter;
  unsigned char* bucket;
  int *count, *start, *cursor;
  ok(cudaMalloc((void**)&v, n * sizeof(float)), "malloc v");
  ok(cudaMalloc((void**)&out, n * sizeof(float)), "malloc out");
  ok(cudaMalloc((void**)&splitter, BUCKETS * sizeof(float)), "malloc splitter");
  ok(cudaMalloc((void**)&bucket, n), "malloc bucket");
  ok(cudaMalloc((void**)&count, BUCKETS * sizeof(int)), "malloc count");
  ok(cudaMalloc((void**)&start, (BUCKETS + 1) * sizeof(int)), "malloc start");
  ok(cudaMalloc((void**)&cursor, BUCKETS * sizeof(int)), "malloc cursor");
  ok(cudaMemset(count, 0, BUCKETS * sizeof(int)), "memset");

  make_values<<<(n + 255) / 256, 256>>>(v, n);
  std::vector<float> want(n), got(n);
  ok(cudaMemcpy(want.data(), v, n * sizeof(float), cudaMemcpyDeviceToHost), "values");
  make_splitters<<<1, 512>>>(v, n, splitter);
  int grid = (n + 255) / 256;
  int classifyGrid = grid > 264 ? 264 : grid;
  classify<<<classifyGrid, 256>>>(v, n, splitter, bucket, count);
  bucket_starts<<<1, 1>>>(count, start, cursor);
  distribute<<<grid, 256>>>(v, n, bucket, cursor, out);
  sort_bucket<<<BUCKETS, 256>>>(out, start);
  ok(cudaGetLastError(), "launch");
  ok(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost), "sort");

  std::sort(want.begin(), want.end());
  if (memcmp(want.data(), got.data(), n * sizeof(float)) != 0) {
    printf("FAIL not sorted\n");
    return 1;
  }
  printf("smallest %f largest %f\nPASS\n", got[0], got[n - 1]);
  return 0;
}
