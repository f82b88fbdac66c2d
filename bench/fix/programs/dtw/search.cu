// SPDX-License-Identifier: Apache-2.0
// Nearest time series by dynamic time warping: every candidate against the query, one thread each.
#include <cstdlib>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>
#include "dtw.hpp"

using std::cout;
using std::endl;

constexpr int kBand = 12, kLimit = 900;

__global__ void distances(const short* query, int nq, const short* series, const int* start, int n, int* result)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    int length = start[k + 1] - start[k];
    // too short or too long to be the same thing
    if (length * 2 < nq || length > nq * 2)
    {
        result[k] = -1;
        return;
    }
    result[k] = dtw<kBand>(series + start[k], length, query, nq, kLimit);
}

int main()
{
    const int n = 700, nq = 48;
    std::vector<short> query(nq), series;
    std::vector<int> start(1, 0);
    srand(21);
    for (int i = 0; i < nq; ++i) query[i] = (short)(50 + 40 * ((i / 8) % 2) + rand() % 5);
    for (int k = 0; k < n; ++k)
    {
        int length = 16 + rand() % 80, phase = rand() % 16;
        for (int i = 0; i < length; ++i)
        {
            int j = i * nq / length + phase / 4;
            series.push_back((short)(50 + 40 * ((j / 8) % 2) + rand() % (5 + k % 40)));
        }
        start.push_back((int)series.size());
    }

    short *dQuery, *dSeries;
    int *dStart, *dResult;
    cudaMalloc(&dQuery, nq * sizeof(short));
    cudaMalloc(&dSeries, series.size() * sizeof(short));
    cudaMalloc(&dStart, (n + 1) * sizeof(int));
    cudaMalloc(&dResult, n * sizeof(int));
    cudaMemcpy(dQuery, query.data(), nq * sizeof(short), cudaMemcpyHostToDevice);
    cudaMemcpy(dSeries, series.data(), series.size() * sizeof(short), cudaMemcpyHostToDevice);
    cudaMemcpy(dStart, start.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    distances<<<(n + 95) / 96, 96>>>(dQuery, nq, dSeries, dStart, n, dResult);
    std::vector<int> result(n);
    if (cudaMemcpy(result.data(), dResult, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    {
        cout << "CUDA error: " << cudaGetErrorString(cudaGetLastError()) << endl;
        return 1;
    }

    int best = -1, skipped = 0, abandoned = 0, wrong = 0;
    for (int k = 0; k < n; ++k)
    {
        int length = start[k + 1] - start[k], want = -1;
        if (length * 2 >= nq && length <= nq * 2) want = dtw<kBand>(&series[start[k]], length, query.data(), nq, kLimit);
        if (want != result[k]) ++wrong;
        if (result[k] < 0) ++skipped;
        else if (result[k] >= 1 << 28) ++abandoned;
        else if (best < 0 || result[k] < result[best]) best = k;
    }
    cout << "best series: " << best << " at distance " << (best < 0 ? -1 : result[best]) << endl;
    cout << skipped << " skipped, " << abandoned << " abandoned, " << wrong << " wrong" << endl;
    cudaFree(dQuery);
    cudaFree(dSeries);
    cudaFree(dStart);
    cudaFree(dResult);
    return wrong == 0 ? 0 : 1;
}
