// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums: a tree in shared memory for each block, sums of blocks, then their
// addition.
#include "common.h"

const int CHUNK = 512;

__device__ void treeScan(int* tree) {
  int offset = 1;
  for (int width = CHUNK / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      tree[offset * (2 * threadIdx.x + 2) - 1] += tree[offset * (2 * threadIdx.x + 1) - 1];
    offset *= 2;
  }
  if (threadIdx.x == 0)
    tree[CHUNK - 1] = 0;
  for (int width = 1; width < CHUNK; width *= 2) {
    offset /= 2;
    __syncthreads();
    if (threadIdx.x < width) {
      int left = offset * (2 * threadIdx.x + 1) - 1, right = offset * (2 * threadIdx.x + 2) - 1;
      int held = tree[left];
      tree[left] = tree[right];
      tree[right] += held;
    }
  }
  __syncthreads();
}

__global__ void scanChunks(const int* in, int* out, int* sums, int n) {
  __shared__ int tree[CHUNK];
  int i = blockIdx.x * CHUNK + 2 * threadIdx.x;
  tree[2 * threadIdx.x] = i < n ? in[i] : 0;
  tree[2 * threadIdx.x + 1] = i + 1 < n ? in[i + 1] : 0;
  int last = tree[2 * threadIdx.x + 1];
  treeScan(tree);
  if (i < n)
    out[i] = tree[2 * threadIdx.x];
  if (i + 1 < n)
    out[i + 1] = tree[2 * threadIdx.x + 1];
  if (threadIdx.x == CHUNK / 2 - 1 && sums)
    sums[blockIdx.x] = tree[CHUNK - 1] + last;
}

__global__ void addOffsets(int* out, const int* offsets, int n) {
  int i = blockIdx.x * CHUNK + threadIdx.x;
  if (i < n)
    out[i] += offsets[blockIdx.x];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 10000), chunks = (n + CHUNK - 1) / CHUNK;
  std::vector<int> input(n), want(n);
  for (int i = 0, sum = 0; i < n; ++i) {
    input[i] = i * 7 % 23;
    want[i] = sum;
    sum += input[i];
  }
  int *in = upload(input), *out = allocate<int>(n), *sums = allocate<int>(chunks),
      *offsets = allocate<int>(CHUNK);
  scanChunks<<<chunks, CHUNK / 2>>>(in, out, sums, n);
  scanChunks<<<1, CHUNK / 2>>>(sums, offsets, nullptr, chunks);
  addOffsets<<<chunks, CHUNK>>>(out, offsets, n);
  return verdict(chunks <= CHUNK && download(out, n) == want);
}
