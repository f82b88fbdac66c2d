// SPDX-License-Identifier: Apache-2.0
// Run-length coding: marks where runs begin, scans the marks, writes values and lengths.
#include "common.h"

const int BLOCK = 256;

__global__ void markRuns(const unsigned char* in, int* position, int* blockSums, int n) {
  __shared__ int scan[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int isStart = i < n && (i == 0 || in[i] != in[i - 1]);
  scan[threadIdx.x] = isStart;
  __syncthreads();
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    int left = threadIdx.x >= distance ? scan[threadIdx.x - distance] : 0;
    __syncthreads();
    scan[threadIdx.x] += left;
    __syncthreads();
  }
  if (i < n)
    position[i] = isStart ? scan[threadIdx.x] - 1 : -1;
  if (threadIdx.x == BLOCK - 1)
    blockSums[blockIdx.x] = scan[BLOCK - 1];
}

__global__ void sumBlocks(int* blockSums, int blocks) {
  int sum = 0;
  for (int i = 0; i < blocks; ++i) {
    int count = blockSums[i];
    blockSums[i] = sum;
    sum += count;
  }
  blockSums[blocks] = sum;
}

__global__ void writeRuns(const unsigned char* in, const int* position, const int* blockSums,
                          unsigned char* values, int* lengths, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n || position[i] < 0)
    return;
  int end = i + 1;
  while (end < n && in[end] == in[i])
    ++end;
  int at = blockSums[blockIdx.x] + position[i];
  values[at] = in[i];
  lengths[at] = end - i;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 8192), blocks = (n + BLOCK - 1) / BLOCK;
  Random random(103);
  std::vector<unsigned char> input(n);
  for (int i = 0; i < n;) {
    int length = 1 + random.next() % 4 + (random.next() % 16 == 0 ? random.next() % 60 : 0);
    unsigned char value = (unsigned char)random.next();
    for (int k = 0; k < length && i < n; ++k)
      input[i++] = value;
  }
  unsigned char *in = upload(input), *values = allocate<unsigned char>(n);
  int *position = allocate<int>(n), *sums = allocate<int>(blocks + 1), *lengths = allocate<int>(n);
  markRuns<<<blocks, BLOCK>>>(in, position, sums, n);
  sumBlocks<<<1, 1>>>(sums, blocks);
  writeRuns<<<blocks, BLOCK>>>(in, position, sums, values, lengths, n);
  int runs = download(sums, blocks + 1)[blocks];
  std::vector<unsigned char> v = download(values, runs), decoded;
  std::vector<int> l = download(lengths, runs);
  for (int i = 0; i < runs; ++i)
    decoded.insert(decoded.end(), l[i], v[i]);
  return verdict(decoded == input);
}
