// RUN: %refused fix %s --only share-rows --form "team of 8" --unproven | FileCheck-19 %s
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that a team for each row cannot run as they are.

__device__ int sumOf(const int* v, int first, int last) {
  int x = 0;
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] is in a function [no-team]
  for (int i = first; i < last; ++i)
    x += v[i];
  return x;
}

__global__ void inFunction(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  out[r] = sumOf(v, start[r], start[r + 1]);
}

__global__ void otherNumber(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] asks for threadIdx.x in another way than for the number of the row [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    x += v[i];
  out[r] = x + threadIdx.x;
}

__global__ void readsBack(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  int x = out[r];
  // CHECK: :[[#@LINE+1]]: share-rows refused: the kernel both reads and stores out [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    x += v[i];
  out[r] = x;
}

__global__ void onTheWay(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0, n = 0;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+3]] stores something, and does more than one lane alone could do [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    x += v[i];
  out[r + n++] = x;
}

__global__ void byAddress(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0, y = 0;
  int* at = &y;
  // CHECK: :[[#@LINE+1]]: share-rows refused: y of line [[#@LINE-2]] may be changed by its address [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    x += v[i];
  *at += x;
  out[r] = y;
}

__global__ void inMemory(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: share-rows refused: the loop in line [[#@LINE+1]] changes memory from item to item [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    out[r] += v[i];
}

__global__ void oddBlocks(const int* start, const int* v, int* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0;
  // CHECK: :[[#@LINE+1]]: share-rows refused: line [[#@LINE+16]] launches oddBlocks with blocks of no constant number of warps, or in a way that cannot be made larger [no-team]
  for (int i = start[r]; i < start[r + 1]; ++i)
    x += v[i];
  out[r] = x;
}

int main() {
  const int* start = nullptr;
  int* v = nullptr;
  inFunction<<<1, 32>>>(start, v, v);
  otherNumber<<<1, 32>>>(start, v, v);
  readsBack<<<1, 32>>>(start, v, v);
  onTheWay<<<1, 32>>>(start, v, v);
  byAddress<<<1, 32>>>(start, v, v);
  inMemory<<<1, 32>>>(start, v, v);
  oddBlocks<<<1, 32>>>(start, v, v);
  oddBlocks<<<1, 40>>>(start, v, v);
}
