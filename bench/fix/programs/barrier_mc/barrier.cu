// SPDX-License-Identifier: Apache-2.0
// Knock-out options by Monte Carlo. A path ends as soon as it touches the barrier.
//   barrier [paths]

#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <string>
#include <vector>
#include <chrono>
#include <cuda_runtime.h>
#include "rng.h"

struct Market
{
    float spot, strike, barrier, rate, vol, years;
    int steps;
};

struct UpAndOutCall
{
    __host__ __device__ static bool knocked(float s, const Market& m) { return s >= m.barrier; }
    __host__ __device__ static float payoff(float s, const Market& m) { return s > m.strike ? s - m.strike : 0.0f; }
};

struct DownAndOutPut
{
    __host__ __device__ static bool knocked(float s, const Market& m) { return s <= m.barrier; }
    __host__ __device__ static float payoff(float s, const Market& m) { return s < m.strike ? m.strike - s : 0.0f; }
};

template <class Option>
__host__ __device__ float simulate(const Market& m, unsigned int path)
{
    Rng rng(path);
    float dt = m.years / m.steps;
    float drift = (m.rate - 0.5f * m.vol * m.vol) * dt;
    float diffusion = m.vol * sqrtf(dt);
    float s = m.spot;
    for (int i = 0; i < m.steps; i++)
    {
        s *= expf(drift + diffusion * rng.normal());
        if (Option::knocked(s, m)) return 0.0f;
    }
    return expf(-m.rate * m.years) * Option::payoff(s, m);
}

template <class Option>
__global__ void priceKernel(Market m, float* result, int paths)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < paths; i += gridDim.x * blockDim.x)
        result[i] = simulate<Option>(m, i + 1);
}

template <class Option>
bool price(const char* name, const Market& m, int paths)
{
    float* d = nullptr;
    if (cudaMalloc(&d, paths * sizeof(float)) != cudaSuccess) return false;
    auto t0 = std::chrono::high_resolution_clock::now();
    priceKernel<Option><<<24, 160>>>(m, d, paths);
    if (cudaDeviceSynchronize() != cudaSuccess)
    {
        printf("%s: launch failed\n", name);
        return false;
    }
    auto t1 = std::chrono::high_resolution_clock::now();
    std::vector<float> h(paths);
    cudaMemcpy(h.data(), d, paths * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d);

    double gpu = 0, cpu = 0;
    int knockedOrWorthless = 0;
    for (int i = 0; i < paths; i++)
    {
        gpu += h[i];
        cpu += simulate<Option>(m, i + 1);
        knockedOrWorthless += h[i] == 0.0f;
    }
    gpu /= paths;
    cpu /= paths;
    double seconds = std::chrono::duration<double>(t1 - t0).count();
    bool ok = std::fabs(gpu - cpu) < 0.01 * (1 + cpu);
    printf("%-14s price %.2f, %.1f%% of paths pay nothing, %s\n", name, gpu, 100.0 * knockedOrWorthless / paths, ok ? "ok" : "BAD");
    printf("%-14s time %.2f ms (%.2f Mpaths/s)\n", "", seconds * 1e3, paths / seconds * 1e-6);
    return ok;
}

int main(int argc, char* argv[])
{
    int paths = 12000;
    if (argc > 1) paths = std::stoi(argv[1]);
    if (paths <= 0)
    {
        printf("the number of paths must be positive\n");
        return 1;
    }
    Market call = {100.0f, 100.0f, 125.0f, 0.03f, 0.3f, 1.0f, 64};
    Market put = {100.0f, 105.0f, 80.0f, 0.03f, 0.25f, 1.0f, 64};
    bool ok = price<UpAndOutCall>("up-and-out", call, paths);
    ok = price<DownAndOutPut>("down-and-out", put, paths) && ok;
    return ok ? 0 : 1;
}
