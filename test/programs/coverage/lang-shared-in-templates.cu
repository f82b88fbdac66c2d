// SPDX-License-Identifier: Apache-2.0
// COVERS: dynamic shared, extern shared in templates, templates
// A templated reduction over int, float and double whose shared memory comes from a helper struct.
#include <cstdio>
#include <cstdlib>
#include <vector>

// One name cannot be extern of several types: a struct gives each type its own view.
template <class T> struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};

template <class T, unsigned blockSize> __global__ void reduce(const T* in, T* out, unsigned n) {
  T* sdata = SharedMemory<T>();
  unsigned tid = threadIdx.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * blockSize * 2 + tid; i < n; i += blockSize * 2 * gridDim.x) {
    sum += in[i];
    if (i + blockSize < n)
      sum += in[i + blockSize];
  }
  sdata[tid] = sum;
  __syncthreads();
  if (blockSize >= 256) {
    if (tid < 128)
      sdata[tid] += sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64)
      sdata[tid] += sdata[tid + 64];
    __syncthreads();
  }
  for (unsigned s = (blockSize < 64 ? blockSize : 64) / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}

template <class T> bool run(unsigned n, int threads) {
  const int blocks = 4;
  std::vector<T> h(n);
  T want = 0, got = 0, part[blocks], *in, *out;
  for (unsigned i = 0; i < n; ++i)
    want += h[i] = (T)(i % 100) - (T)20;
  if (cudaMalloc(&in, n * sizeof(T)) || cudaMalloc(&out, sizeof part))
    return false;
  cudaMemcpy(in, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  size_t smem = threads * sizeof(T);
  switch (threads) {
  case 256:
    reduce<T, 256><<<blocks, 256, smem>>>(in, out, n);
    break;
  case 128:
    reduce<T, 128><<<blocks, 128, smem>>>(in, out, n);
    break;
  default:
    reduce<T, 32><<<blocks, 32, smem>>>(in, out, n);
  }
  cudaError_t e = cudaMemcpy(part, out, sizeof part, cudaMemcpyDeviceToHost);
  for (T p : part)
    got += p;
  cudaFree(in);
  cudaFree(out);
  if (e != cudaSuccess || got != want)
    printf("size %zu, %d threads: %g, expected %g\n", sizeof(T), threads, (double)got,
           (double)want);
  return e == cudaSuccess && got == want;
}

int main(int argc, char** argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 5001;
  bool ok = true;
  for (int threads : {256, 128, 32}) {
    ok = run<int>(n, threads) && ok;
    ok = run<float>(n, threads) && ok;
    ok = run<double>(n, threads) && ok;
  }
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
