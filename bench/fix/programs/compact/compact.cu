// SPDX-License-Identifier: Apache-2.0
// Stream compaction: flags, scan, scatter. Keeps the events above a threshold of their channel.
#include <cuda_runtime.h>
#include <iostream>
#include <vector>
#include "scan.cuh"

#define BLOCK 128

struct Event
{
    int channel;
    int energy;
    int time;
};

__device__ bool interesting(const Event &e)
{
    if (e.channel < 0)
        return false;               // dead channel
    switch (e.channel & 3) {
    case 0:
        return e.energy > 300;
    case 1:
        return e.energy > 500 && e.time % 2 == 0;
    case 2: {
        int bits = 0;               // odd parity only
        for (int v = e.energy; v != 0; v &= v - 1)
            bits++;
        return bits % 2 == 1;
    }
    default:
        return false;
    }
}

__global__ void flag(const Event *events, int *flags, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    flags[i] = interesting(events[i]) ? 1 : 0;
}

__global__ void scatter(const Event *events, const int *flags, const int *pos, Event *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (!flags[i])
        return;
    out[pos[i] - 1] = events[i];
}

static bool keep(const Event &e)
{
    if (e.channel < 0) return false;
    int c = e.channel & 3;
    if (c == 0) return e.energy > 300;
    if (c == 1) return e.energy > 500 && e.time % 2 == 0;
    if (c == 2) return __builtin_popcount(e.energy) & 1;
    return false;
}

int main()
{
    const int n = 60000, blocks = (n + BLOCK - 1) / BLOCK;
    std::vector<Event> events(n);
    unsigned s = 2u;
    for (int i = 0; i < n; i++) {
        s = s * 22695477u + 1u;
        events[i].channel = (int)((s >> 16) % 70) - 6;
        s = s * 22695477u + 1u;
        events[i].energy = (s >> 16) % 1024;
        events[i].time = i;
    }

    Event *dIn, *dRes;
    int *dFlags, *dPos, *dSums;
    cudaMalloc(&dIn, n * sizeof(Event));
    cudaMalloc(&dRes, n * sizeof(Event));
    cudaMalloc(&dFlags, n * sizeof(int));
    cudaMalloc(&dPos, n * sizeof(int));
    cudaMalloc(&dSums, blocks * sizeof(int));
    cudaMemcpy(dIn, events.data(), n * sizeof(Event), cudaMemcpyHostToDevice);

    flag<<<blocks, BLOCK>>>(dIn, dFlags, n);
    scan_blocks<int, BLOCK><<<blocks, BLOCK>>>(dFlags, dPos, dSums, n);
    scan_sums<int><<<1, 32>>>(dSums, blocks);
    add_sums<int, BLOCK><<<blocks, BLOCK>>>(dPos, dSums, n);
    scatter<<<blocks, BLOCK>>>(dIn, dFlags, dPos, dRes, n);

    int count = 0;
    cudaMemcpy(&count, dPos + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess || count < 0 || count > n) {
        std::cerr << "failed: " << cudaGetErrorString(err) << std::endl;
        return 1;
    }
    std::vector<Event> out(count);
    cudaMemcpy(out.data(), dRes, count * sizeof(Event), cudaMemcpyDeviceToHost);

    size_t k = 0;
    bool ok = true;
    long long energy = 0;
    for (const Event &e : events) {
        if (!keep(e))
            continue;
        if (k >= out.size() || out[k].time != e.time || out[k].energy != e.energy)
            ok = false;
        k++;
    }
    ok = ok && k == out.size();
    for (const Event &e : out)
        energy += e.energy;
    std::cout << "kept " << count << " of " << n << " events, energy " << energy << std::endl;
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    cudaFree(dIn);
    cudaFree(dRes);
    cudaFree(dFlags);
    cudaFree(dPos);
    cudaFree(dSums);
    return !ok;
}
