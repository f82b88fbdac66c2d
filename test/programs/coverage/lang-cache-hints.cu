// SPDX-License-Identifier: Apache-2.0
// COVERS: cache hints
// Loads and stores that say how long a line is of use. Arguments: elements.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void stream(const float4* __restrict__ in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = __ldcs(in + i), w = __ldcg(&in[i]);
    __stcs(&out[i], make_float4(v.x + w.w, v.y + w.z, v.z + w.y, v.w + w.x));
  }
}

template <class T> __global__ void scalars(const T* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __stwb(out + i, T(__ldca(in + i) + __ldlu(in + i)));
    __stcg(out + i, T(__ldcv(out + i) * 2));
    __stwt(out + i, T(*(volatile T*)(out + i) + 1)); // a plain 1 where T is narrow
  }
}

template <class T> int check(int n) {
  T *in, *out;
  int bad = 0;
  if (cudaMallocManaged(&in, n * sizeof(T)) || cudaMallocManaged(&out, n * sizeof(T)))
    return 1;
  for (int i = 0; i < n; ++i)
    in[i] = T(i % 29);
  scalars<<<(n + 127) / 128, 128>>>(in, out, n);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i)
    bad += out[i] != T(i % 29 * 4 + 1);
  cudaFree(in);
  cudaFree(out);
  return bad;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, bad = 0;
  bad += check<char>(n) + check<unsigned char>(n) + check<short>(n) + check<int>(n) +
         check<unsigned>(n) + check<long long>(n) + check<unsigned long long>(n) + check<float>(n) +
         check<double>(n);
  std::vector<float4> host(n), got(n);
  for (int i = 0; i < n; ++i)
    host[i] = make_float4(i, i + 1, i + 2, i + 3);
  float4 *in, *out;
  if (cudaMalloc(&in, n * sizeof(float4)) || cudaMalloc(&out, n * sizeof(float4)))
    return puts("FAIL"), 1;
  cudaMemcpy(in, host.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  stream<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaMemcpy(got.data(), out, n * sizeof(float4), cudaMemcpyDeviceToHost);
  for (const float4& v : got)
    bad += v.x != v.y || v.y != v.z || v.z != v.w || v.x != 2 * (&v - got.data()) + 3;
  cudaFree(in);
  cudaFree(out);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
