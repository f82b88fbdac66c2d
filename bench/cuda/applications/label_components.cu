// SPDX-License-Identifier: Apache-2.0
// Labels the connected components of a binary picture with union-find and measures each one's area
// and bounding box.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CUDA_OK(x)                                                                                 \
  if ((x) != cudaSuccess) {                                                                        \
    printf("FAIL %s:%d\n", __FILE__, __LINE__);                                                    \
    return 1;                                                                                      \
  }

typedef struct {
  int area;
  int xmin, xmax, ymin, ymax;
} blob_t;

__global__ void k_threshold(const unsigned char* gray, int* label, int n, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  label[i] = gray[i] >= level ? i : -1;
}

/* start of the horizontal run as first label, one warp does one row (serial over its chunks) */
__global__ void k_runs(int* label, int w, int h) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= h)
    return;
  int carry = -1; /* start of a run which comes in from the left */
  for (int base = 0; base < w; base += 32) {
    int x = base + lane;
    int fg = x < w && label[row * w + x] >= 0;
    unsigned mask = __ballot_sync(0xffffffffu, fg);
    unsigned zeros_below = ~mask & ((1u << lane) - 1u);
    int start;
    if (zeros_below)
      start = row * w + base + 32 - __clz(zeros_below);
    else
      start = carry >= 0 ? carry : row * w + base;
    if (fg)
      label[row * w + x] = start;
    int last = __shfl_sync(0xffffffffu, start, 31);
    carry = (mask >> 31) ? last : -1;
  }
}

__device__ int find_root(volatile int* label, int i) {
  int p = label[i];
  while (p != i) {
    i = p;
    p = label[i];
  }
  return i;
}

__device__ void unite(int* label, int a, int b) {
  bool done = false;
  while (!done) {
    a = find_root(label, a);
    b = find_root(label, b);
    if (a < b) {
      int old = atomicMin(&label[b], a);
      done = old == b;
      b = old;
    } else if (b < a) {
      int old = atomicMin(&label[a], b);
      done = old == a;
      a = old;
    } else
      done = true;
  }
}

__global__ void k_merge(int* label, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h || y == 0)
    return;
  int me = y * w + x;
  if (label[me] < 0)
    return;
  bool left = x > 0 && label[me - 1] >= 0;
  bool up = label[me - w] >= 0;
  bool upleft = x > 0 && label[me - w - 1] >= 0;
  if (up && !(left && upleft))
    unite(label, me, me - w);
}

__global__ void k_flatten(int* label, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && label[i] >= 0) {
    int r = find_root(label, i);
    label[i] = r;
  }
}

__global__ void k_measure(const int* label, blob_t* blobs, int* number, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int l = label[y * w + x];
  if (l < 0)
    return;
  if (l == y * w + x)
    atomicAdd(number, 1);
  blob_t* b = &blobs[l];
  atomicAdd(&b->area, 1);
  atomicMin(&b->xmin, x);
  atomicMax(&b->xmax, x);
  atomicMin(&b->ymin, y);
  atomicMax(&b->ymax, y);
}

__global__ void k_clear(blob_t* blobs, int n, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    blob_t b;
    b.area = 0;
    b.xmin = w;
    b.ymin = h;
    b.xmax = b.ymax = -1;
    blobs[i] = b;
  }
}

static unsigned hash32(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

/* two-pass labelling by a stack, label = smallest index of the component */
static int host_label(const std::vector<unsigned char>& g, std::vector<int>& lab,
                      std::vector<blob_t>& blobs, int w, int h, int level) {
  int n = w * h, count = 0;
  lab.assign(n, -1);
  std::vector<int> st;
  for (int i = 0; i < n; i++) {
    if (g[i] < level || lab[i] >= 0)
      continue;
    count++;
    blob_t b = {0, w, -1, h, -1};
    lab[i] = i;
    st.push_back(i);
    while (!st.empty()) {
      int p = st.back(), x = p % w, y = p / w;
      st.pop_back();
      b.area++;
      if (x < b.xmin)
        b.xmin = x;
      if (x > b.xmax)
        b.xmax = x;
      if (y < b.ymin)
        b.ymin = y;
      if (y > b.ymax)
        b.ymax = y;
      const int nb[4] = {x > 0 ? p - 1 : -1, x < w - 1 ? p + 1 : -1, y > 0 ? p - w : -1,
                         y < h - 1 ? p + w : -1};
      for (int k = 0; k < 4; k++)
        if (nb[k] >= 0 && g[nb[k]] >= level && lab[nb[k]] < 0) {
          lab[nb[k]] = i;
          st.push_back(nb[k]);
        }
    }
    blobs[i] = b;
  }
  return count;
}

int main(int argc, char* argv[]) {
  int w = argc > 1 ? atoi(argv[1]) : 256, h = w;
  if (w < 8)
    w = h = 8;
  int n = w * h;
  std::vector<unsigned char> gray(n);
  for (int i = 0; i < n; i++) {
    int x = i % w, y = i / w;
    int coarse = hash32((y / 6) * 4096 + x / 9) & 127, fine = hash32(i + 99) & 127;
    gray[i] = (unsigned char)(coarse + fine);
  }
  unsigned char* d_gray;
  int *d_label, *d_number;
  blob_t* d_blobs;
  CUDA_OK(cudaMalloc((void**)&d_gray, n));
  CUDA_OK(cudaMalloc((void**)&d_label, n * sizeof(int)));
  CUDA_OK(cudaMalloc((void**)&d_number, sizeof(int)));
  CUDA_OK(cudaMalloc((void**)&d_blobs, n * sizeof(blob_t)));
  CUDA_OK(cudaMemcpy(d_gray, gray.data(), n, cudaMemcpyHostToDevice));

  int levels[3] = {95, 120, 150};
  int grid = (n + 255) / 256;
  dim3 b2(32, 4), g2((w + 31) / 32, (h + 3) / 4);
  std::vector<int> lab(n), ref(n);
  std::vector<blob_t> blobs(n), want(n);
  for (int k = 0; k < 3; k++) {
    CUDA_OK(cudaMemset(d_number, 0, sizeof(int)));
    k_threshold<<<grid, 256>>>(d_gray, d_label, n, levels[k]);
    k_runs<<<(h * 32 + 127) / 128, 128>>>(d_label, w, h);
    k_merge<<<g2, b2>>>(d_label, w, h);
    k_flatten<<<grid, 256>>>(d_label, n);
    k_clear<<<grid, 256>>>(d_blobs, n, w, h);
    k_measure<<<g2, b2>>>(d_label, d_blobs, d_number, w, h);
    int number;
    CUDA_OK(cudaMemcpy(&number, d_number, sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(lab.data(), d_label, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(blobs.data(), d_blobs, n * sizeof(blob_t), cudaMemcpyDeviceToHost));
    int expect = host_label(gray, ref, want, w, h, levels[k]);
    printf("level %d: %d components\n", levels[k], number);
    int bad = number != expect;
    for (int i = 0; i < n; i++) {
      bad += lab[i] != ref[i];
      if (ref[i] == i)
        bad += memcmp(&blobs[i], &want[i], sizeof(blob_t)) != 0;
    }
    if (bad) {
      printf("FAIL level %d: %d mismatches, %d components expected\n", levels[k], bad, expect);
      return 1;
    }
  }
  cudaFree(d_gray), cudaFree(d_label), cudaFree(d_number), cudaFree(d_blobs);
  printf("PASS\n");
  return 0;
}
