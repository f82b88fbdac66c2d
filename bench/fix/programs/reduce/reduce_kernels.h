// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_KERNELS_H
#define REDUCE_KERNELS_H

struct Sum {
  template <class T> static __device__ T apply(T a, T b) { return a + b; }
};
struct Max {
  template <class T> static __device__ T apply(T a, T b) { return a > b ? a : b; }
};

/* Interleaved addressing: in each step every second, fourth, eighth, ... thread works. */
template <class T, class Op>
__global__ void reduce_interleaved(const T *in, T *out, int n, T neutral)
{
  __shared__ T data[256];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + t;
  data[t] = i < (unsigned int)n ? in[i] : neutral;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      data[t] = Op::apply(data[t], data[t + s]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = data[0];
}

/* Sequential addressing: the first half, quarter, eighth, ... works. */
template <class T, class Op>
__global__ void reduce_sequential(const T *in, T *out, int n, T neutral)
{
  __shared__ T data[256];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + t;
  data[t] = i < (unsigned int)n ? in[i] : neutral;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s)
      data[t] = Op::apply(data[t], data[t + s]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = data[0];
}

#endif
