// SPDX-License-Identifier: Apache-2.0
#include "rle.h"
#include <cstdio>
#include <cstdlib>

namespace {

void gpu(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "rle.cu:%d: %s\n", line, cudaGetErrorString(status));
  std::exit(1);
}
#define GPU(x) gpu((x), __LINE__)

// Length of the run that starts at `in`, at most 255.
__device__ int run_length(const byte* in, int left) {
  int n = 1;
  while (n < left && n < 255 && in[n] == in[0]) n++;
  return n;
}

__global__ void measure(const byte* in, int n, int* sizes) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = c * CHUNK_BYTES;
  if (begin >= n) return;
  int end = min(begin + CHUNK_BYTES, n), pairs = 0;
  for (int i = begin; i < end; pairs++) i += run_length(in + i, end - i);
  sizes[c] = 2 * pairs;
}

// Sizes to offsets; the blocks are few.
__global__ void offsets(const int* sizes, int* offset, int chunks) {
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int c = 0; c < chunks; c++) {
      offset[c] = sum;
      sum += sizes[c];
    }
    offset[chunks] = sum;
  }
}

__global__ void pack(const byte* in, int n, const int* offset, byte* out) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = c * CHUNK_BYTES;
  if (begin >= n) return;
  int end = min(begin + CHUNK_BYTES, n), o = offset[c];
  int i = begin;
  while (i < end) {
    int run = run_length(in + i, end - i);
    out[o++] = (byte)run;
    out[o++] = in[i];
    i += run;
  }
}

__global__ void expand(const byte* packed, const int* offset, int chunks, byte* out) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= chunks) return;
  byte* to = out + c * CHUNK_BYTES;
  for (int p = offset[c]; p < offset[c + 1]; p += 2) {
    byte value = packed[p + 1];
    for (int k = 0; k < packed[p]; k++) *to++ = value;
  }
}

}  // namespace

Packed rle_compress(const std::vector<byte>& input) {
  int n = (int)input.size(), chunks = (n + CHUNK_BYTES - 1) / CHUNK_BYTES;
  byte *d_in, *d_out;
  int *d_sizes, *d_offset;
  GPU(cudaMalloc(&d_in, n));
  GPU(cudaMalloc(&d_out, 2 * (size_t)n));
  GPU(cudaMalloc(&d_sizes, chunks * sizeof(int)));
  GPU(cudaMalloc(&d_offset, (chunks + 1) * sizeof(int)));
  GPU(cudaMemcpy(d_in, input.data(), n, cudaMemcpyHostToDevice));

  measure<<<(chunks + 63) / 64, 64>>>(d_in, n, d_sizes);
  offsets<<<1, 1>>>(d_sizes, d_offset, chunks);
  pack<<<(chunks + 63) / 64, 64>>>(d_in, n, d_offset, d_out);
  GPU(cudaGetLastError());

  Packed p;
  p.original = n;
  p.offset.resize(chunks + 1);
  GPU(cudaMemcpy(p.offset.data(), d_offset, p.offset.size() * sizeof(int), cudaMemcpyDeviceToHost));
  p.data.resize(p.offset[chunks]);
  GPU(cudaMemcpy(p.data.data(), d_out, p.data.size(), cudaMemcpyDeviceToHost));
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_sizes);
  cudaFree(d_offset);
  return p;
}

std::vector<byte> rle_expand(const Packed& p) {
  int chunks = (int)p.offset.size() - 1;
  byte *d_packed, *d_out;
  int* d_offset;
  GPU(cudaMalloc(&d_packed, p.data.size()));
  GPU(cudaMalloc(&d_out, p.original));
  GPU(cudaMalloc(&d_offset, p.offset.size() * sizeof(int)));
  GPU(cudaMemcpy(d_packed, p.data.data(), p.data.size(), cudaMemcpyHostToDevice));
  GPU(cudaMemcpy(d_offset, p.offset.data(), p.offset.size() * sizeof(int), cudaMemcpyHostToDevice));
  expand<<<(chunks + 63) / 64, 64>>>(d_packed, d_offset, chunks, d_out);
  std::vector<byte> out(p.original);
  GPU(cudaMemcpy(out.data(), d_out, out.size(), cudaMemcpyDeviceToHost));
  cudaFree(d_packed);
  cudaFree(d_out);
  cudaFree(d_offset);
  return out;
}
