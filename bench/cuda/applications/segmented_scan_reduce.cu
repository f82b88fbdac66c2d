// SPDX-License-Identifier: Apache-2.0
// Segmented prefix sums over runs of equal keys, and sums and maxima by key from them.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define BS 256

#define ERR(call)                                                                                  \
  {                                                                                                \
    cudaError_t r = call;                                                                          \
    if (r != cudaSuccess) {                                                                        \
      printf("FAIL %d %s\n", __LINE__, cudaGetErrorString(r));                                     \
      return 1;                                                                                    \
    }                                                                                              \
  }

struct Part {
  double sum; // of the last run of a block
  int open;   // the block has no start of a run
};

__global__ void head_flags(const int* key, int n, unsigned char* head) {
  int i = blockIdx.x * BS + threadIdx.x;
  if (i < n)
    head[i] = i == 0 || key[i] != key[i - 1];
}

// Hillis and Steele's scan over pairs (flag, value)
__global__ void block_scan(const float* value, const unsigned char* head, int n, double* out,
                           Part* part) {
  __shared__ double v[2][BS];
  __shared__ int f[2][BS];
  int t = threadIdx.x, i = blockIdx.x * BS + t;
  v[0][t] = i < n ? value[i] : 0.0;
  f[0][t] = i < n ? head[i] : 0;
  __syncthreads();
  int p = 0;
  for (int d = 1; d < BS; d *= 2) {
    double nv = v[p][t];
    int nf = f[p][t];
    if (t >= d) {
      if (!nf)
        nv += v[p][t - d];
      nf |= f[p][t - d];
    }
    v[1 - p][t] = nv;
    f[1 - p][t] = nf;
    p = 1 - p;
    __syncthreads();
  }
  if (i < n)
    out[i] = v[p][t];
  if (t == BS - 1) {
    part[blockIdx.x].sum = v[p][t];
    part[blockIdx.x].open = !f[p][t];
  }
}

// one warp goes over the blocks' results; lanes scan 32 at a time
__global__ void scan_parts(Part* part, int blocks, double* carry) {
  int lane = threadIdx.x;
  double before = 0.0;
  for (int base = 0; base < blocks; base += 32) {
    int b = base + lane;
    double v = b < blocks ? part[b].sum : 0.0;
    int closed = b < blocks ? !part[b].open : 0;
    for (int d = 1; d < 32; d *= 2) {
      double uv = __shfl_up_sync(0xffffffffu, v, d);
      int uf = __shfl_up_sync(0xffffffffu, closed, d);
      if (lane >= d) {
        if (!closed)
          v += uv;
        closed |= uf;
      }
    }
    if (!closed)
      v += before;
    double left = __shfl_up_sync(0xffffffffu, v, 1);
    if (b < blocks)
      carry[b] = lane == 0 ? before : left;
    before = __shfl_sync(0xffffffffu, v, 31);
  }
}

// adds what comes from the blocks before to the elements ahead of the block's first run
__global__ void add_carry(double* out, const unsigned char* head, const double* carry, int n) {
  __shared__ int first;
  int i = blockIdx.x * BS + threadIdx.x;
  if (threadIdx.x == 0)
    first = BS;
  __syncthreads();
  if (i < n && head[i])
    atomicMin(&first, (int)threadIdx.x);
  __syncthreads();
  if (i < n && (int)threadIdx.x < first)
    out[i] += carry[blockIdx.x];
}

// the last element of a run holds its sum
__global__ void by_key(const int* key, const double* scanned, const float* value, int n,
                       double* sum, int* count, int* largest) {
  int i = blockIdx.x * BS + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&count[key[i]], 1);
  atomicMax(&largest[key[i]], (int)(value[i] * 1000.0f));
  if (i == n - 1 || key[i] != key[i + 1])
    sum[key[i]] = scanned[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30000;
  std::vector<int> key(n);
  std::vector<float> value(n);
  unsigned s = 4711;
  int k = 0, left = 0;
  for (int i = 0; i < n; i++) {
    if (left == 0) {
      if (i)
        k++;
      s = s * 1103515245u + 12345u;
      unsigned r = s >> 16;
      left = r % 97 == 0 ? 1000 + r % 3000 : 1 + r % 60;
    }
    left--;
    key[i] = k;
    s = s * 1103515245u + 12345u;
    value[i] = (float)((s >> 16) % 10000) * 0.001f;
  }
  int keys = k + 1;
  int blocks = (n + BS - 1) / BS;
  int *d_key, *d_count, *d_largest;
  float* d_value;
  unsigned char* d_head;
  double *d_out, *d_carry, *d_sum;
  Part* d_part;
  ERR(cudaMalloc(&d_key, n * sizeof(int)));
  ERR(cudaMalloc(&d_value, n * sizeof(float)));
  ERR(cudaMalloc(&d_head, n));
  ERR(cudaMalloc(&d_out, n * sizeof(double)));
  ERR(cudaMalloc(&d_part, blocks * sizeof(Part)));
  ERR(cudaMalloc(&d_carry, blocks * sizeof(double)));
  ERR(cudaMalloc(&d_sum, keys * sizeof(double)));
  ERR(cudaMalloc(&d_count, keys * sizeof(int)));
  ERR(cudaMalloc(&d_largest, keys * sizeof(int)));
  ERR(cudaMemcpy(d_key, key.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  ERR(cudaMemcpy(d_value, value.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const int repeats = 3;
  for (int r = 0; r < repeats; r++) {
    ERR(cudaMemset(d_count, 0, keys * sizeof(int)));
    ERR(cudaMemset(d_largest, 0, keys * sizeof(int)));
    head_flags<<<blocks, BS>>>(d_key, n, d_head);
    block_scan<<<blocks, BS>>>(d_value, d_head, n, d_out, d_part);
    scan_parts<<<1, 32>>>(d_part, blocks, d_carry);
    add_carry<<<blocks, BS>>>(d_out, d_head, d_carry, n);
    by_key<<<blocks, BS>>>(d_key, d_out, d_value, n, d_sum, d_count, d_largest);
  }
  ERR(cudaDeviceSynchronize());
  std::vector<double> out(n), sum(keys), wantSum(keys, 0.0);
  std::vector<int> count(keys), largest(keys), wantCount(keys, 0), wantLargest(keys, 0);
  ERR(cudaMemcpy(out.data(), d_out, n * sizeof(double), cudaMemcpyDeviceToHost));
  ERR(cudaMemcpy(sum.data(), d_sum, keys * sizeof(double), cudaMemcpyDeviceToHost));
  ERR(cudaMemcpy(count.data(), d_count, keys * sizeof(int), cudaMemcpyDeviceToHost));
  ERR(cudaMemcpy(largest.data(), d_largest, keys * sizeof(int), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; i++) {
    int q = key[i];
    wantSum[q] += value[i];
    wantCount[q]++;
    int m = (int)(value[i] * 1000.0f);
    if (m > wantLargest[q])
      wantLargest[q] = m;
    if (!(fabs(out[i] - wantSum[q]) < 1e-6))
      bad++;
  }
  for (int q = 0; q < keys; q++)
    if (!(fabs(sum[q] - wantSum[q]) < 1e-6) || count[q] != wantCount[q] ||
        largest[q] != wantLargest[q])
      bad++;
  printf("%d keys, last sum %f\n", keys, sum[keys - 1]);
  if (bad) {
    printf("FAIL %d differences\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
