// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose lanes differ: by their items, where another order helps, and by other things.
#include <cstdio>
#include <vector>

constexpr int items = 8192, most = 512;

__device__ float step(float x, int k) { return x * 0.75f + float(k); }

__global__ void lengths(const int* used, const float* in, float* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n)
    return;
  const int m = used[p];
  float x = in[p];
  for (int k = 0; k < m; ++k)
    x = step(x, k);
  out[p] = x;
}

__global__ void kinds(const int* kind, const float* in, float* out, int n, int turns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float x = in[i];
    for (int k = 0; k < turns; ++k)
      if (kind[i] % 2 == 0)
        x = sinf(step(x, k)) * cosf(x);
      else
        x = expf(-x * x) + logf(x * x + 1);
    out[i] = x;
  }
}

__global__ void unknown(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  while (x > 1)
    x -= 1.5f;
  out[i] = x;
}

__global__ void anew(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 2654435761u;
  float x = in[i];
  for (int k = 0; k < 64; ++k) {
    s = s * 1664525u + 1013904223u;
    if (s >> 31)
      x = sinf(step(x, k)) * cosf(x);
    else
      x = expf(-x * x) + logf(x * x + 1);
  }
  out[i] = x;
}

__global__ void together(const int* used, const float* in, float* out, int n) {
  __shared__ float sum;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  float x = in[i];
  for (int k = 0; k < used[i]; ++k)
    x = step(x, k);
  atomicAdd(&sum, x);
  __syncthreads();
  out[i] = sum;
}

__global__ void byLane(const int* used, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  for (int k = i % 32; k < used[i] * 8; k += 32)
    x = step(x, k);
  out[i] = x;
}

int main(int argc, char**) {
  std::vector<int> used(items), kind(items);
  std::vector<float> in(items);
  for (int i = 0; i < items; ++i) {
    const unsigned s = unsigned(i) * 2654435761u >> 16;
    // With an argument neighbours have the same length.
    used[i] = argc > 1 ? 1 + i / 32 : s % 10 == 0 ? most : 1 + int(s % 64);
    kind[i] = int(s >> 4);
    in[i] = float(s % 1000);
  }
  int *u, *k;
  float *a, *b;
  cudaMalloc(&u, items * sizeof(int));
  cudaMalloc(&k, items * sizeof(int));
  cudaMalloc(&a, items * sizeof(float));
  cudaMalloc(&b, items * sizeof(float));
  cudaMemcpy(u, used.data(), items * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(k, kind.data(), items * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(a, in.data(), items * sizeof(float), cudaMemcpyHostToDevice);
  const int blocks = items / 128;
  lengths<<<blocks, 128>>>(u, a, b, items);
  if (argc == 1) {
    kinds<<<blocks / 4, 128>>>(k, a, b, items, 16);
    unknown<<<blocks, 128>>>(a, b, items);
    anew<<<blocks, 128>>>(a, b, items);
    together<<<blocks, 128>>>(u, a, b, items);
    byLane<<<blocks, 128>>>(u, b, items);
  }
  std::printf("%d\n", int(cudaDeviceSynchronize()));
}
