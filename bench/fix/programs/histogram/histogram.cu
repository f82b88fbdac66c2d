// SPDX-License-Identifier: Apache-2.0
// Histogram of the grey values of an image, then the equalisation table of it.
// First version: a histogram per block in shared memory, the first thread of a block adds it up.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

#define BINS 256
#define THREADS 200
#define BLOCKS 12
#define SIZE (512 * 384)

void die(const char *what, cudaError_t e) { printf("%s: %s\n", what, cudaGetErrorString(e)); exit(1); }
#define TRY(x) { cudaError_t e__ = x; if (e__ != cudaSuccess) die(#x, e__); }

__global__ void histogram(const unsigned char *data, int n, unsigned int *hist)
{
    __shared__ unsigned int local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        if (data[i] != 0)           // black is the background
            atomicAdd(&local[data[i]], 1u);
    }
    __syncthreads();

    if (threadIdx.x == 0) {
        for (int b = 0; b < BINS; b++)
            if (local[b] > 0)
                atomicAdd(&hist[b], local[b]);
    }
}

__global__ void equalise_table(const unsigned int *hist, unsigned char *table)
{
    __shared__ unsigned int cdf[BINS];
    __shared__ unsigned int first;
    int t = threadIdx.x;
    if (t == 0) {
        unsigned int sum = 0;
        first = 0;
        for (int b = 0; b < BINS; b++) {
            sum += hist[b];
            cdf[b] = sum;
            if (first == 0 && sum > 0)
                first = sum;
        }
    }
    __syncthreads();
    unsigned int all = cdf[BINS - 1];
    if (cdf[t] <= first || all == first)
        table[t] = 0;
    else
        table[t] = (unsigned char)((cdf[t] - first) * 255u / (all - first));
}

__global__ void apply(const unsigned char *in, unsigned char *out, const unsigned char *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] == 0) { out[i] = 0; return; }
    out[i] = table[in[i]];
}

int main()
{
    std::vector<unsigned char> img(SIZE), res(SIZE);
    unsigned int s = 99;
    for (int i = 0; i < SIZE; i++) {
        s = s * 1103515245u + 12345u;
        int v = 40 + ((s >> 16) & 63) + ((s >> 24) & 31);
        img[i] = (i / 512) % 7 == 0 ? 0 : (unsigned char)v;
    }

    unsigned char *dIn, *dRes, *dTable;
    unsigned int *dHist;
    TRY(cudaMalloc(&dIn, SIZE));
    TRY(cudaMalloc(&dRes, SIZE));
    TRY(cudaMalloc(&dTable, BINS));
    TRY(cudaMalloc(&dHist, BINS * sizeof(unsigned int)));
    TRY(cudaMemcpy(dIn, img.data(), SIZE, cudaMemcpyHostToDevice));
    TRY(cudaMemset(dHist, 0, BINS * sizeof(unsigned int)));
    printf("image on the device: %p, %d bytes\n", (void *)dIn, SIZE);

    histogram<<<BLOCKS, THREADS>>>(dIn, SIZE, dHist);
    equalise_table<<<1, BINS>>>(dHist, dTable);
    apply<<<(SIZE + THREADS - 1) / THREADS, THREADS>>>(dIn, dRes, dTable, SIZE);
    TRY(cudaGetLastError());

    unsigned int hist[BINS], want[BINS];
    TRY(cudaMemcpy(hist, dHist, sizeof(hist), cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(res.data(), dRes, SIZE, cudaMemcpyDeviceToHost));
    memset(want, 0, sizeof(want));
    for (int i = 0; i < SIZE; i++)
        if (img[i]) want[img[i]]++;
    int bad = memcmp(hist, want, sizeof(want)) != 0;
    unsigned int cdf[BINS], sum = 0, first = 0;
    for (int b = 0; b < BINS; b++) {
        sum += want[b];
        cdf[b] = sum;
        if (!first && sum) first = sum;
    }
    unsigned long long checksum = 0;
    for (int i = 0; i < SIZE; i++) {
        unsigned int e = 0;
        if (img[i] && cdf[img[i]] > first) e = (cdf[img[i]] - first) * 255u / (sum - first);
        if (e != res[i]) bad++;
        checksum = checksum * 31 + res[i];
    }
    printf("pixels counted %u, checksum %016llx\n", sum, checksum);
    printf("%s\n", bad ? "Test failed!" : "Test passed.");
    cudaFree(dIn); cudaFree(dRes); cudaFree(dTable); cudaFree(dHist);
    return bad ? 1 : 0;
}
