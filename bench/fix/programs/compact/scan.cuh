// SPDX-License-Identifier: Apache-2.0
#ifndef SCAN_CUH
#define SCAN_CUH

// Inclusive scan of a block in the way of Hillis and Steele; the sums of the blocks come out too.
template <typename T, int BLOCK>
__global__ void scan_blocks(const T *in, T *out, T *sums, int n)
{
    __shared__ T buf[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int cur = 0;
    buf[0][t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        if (t >= offset)
            buf[1 - cur][t] = buf[cur][t] + buf[cur][t - offset];
        else
            buf[1 - cur][t] = buf[cur][t];
        cur = 1 - cur;
        __syncthreads();
    }
    if (i < n)
        out[i] = buf[cur][t];
    if (t == BLOCK - 1)
        sums[blockIdx.x] = buf[cur][t];
}

// There are not many blocks, so one thread does this.
template <typename T>
__global__ void scan_sums(T *sums, int blocks)
{
    if (threadIdx.x == 0) {
        T running = 0;
        for (int b = 0; b < blocks; b++) {
            T s = sums[b];
            sums[b] = running;
            running += s;
        }
    }
}

template <typename T, int BLOCK>
__global__ void add_sums(T *out, const T *sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += sums[blockIdx.x];
}

#endif
