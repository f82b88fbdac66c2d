// SPDX-License-Identifier: Apache-2.0
// Heat in a box with an insulated pillar: the left wall is hot, the right wall cold, the others let nothing through.
#include <chrono>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>

namespace {

constexpr int NX = 40, NY = 28, NZ = 20;

enum Material : unsigned char { Metal, Insulator, Heater };

inline void check(cudaError_t e, const std::string& what)
{
    if (e != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(e));
}

__host__ __device__ inline int at(int x, int y, int z) { return (z * NY + y) * NX + x; }

// The value of a neighbour; walls and insulators mirror the value of the cell itself.
template <typename T>
__host__ __device__ T neighbour(const T* u, const Material* m, int x, int y, int z, T own)
{
    if (x < 0) return T(1);
    if (x >= NX) return T(0);
    if (y < 0 || y >= NY || z < 0 || z >= NZ) return own;
    if (m[at(x, y, z)] == Insulator) return own;
    return u[at(x, y, z)];
}

template <typename T>
__host__ __device__ T update(const T* u, const Material* m, int x, int y, int z, T alpha)
{
    T c = u[at(x, y, z)];
    T sum = neighbour(u, m, x - 1, y, z, c) + neighbour(u, m, x + 1, y, z, c) + neighbour(u, m, x, y - 1, z, c) +
            neighbour(u, m, x, y + 1, z, c) + neighbour(u, m, x, y, z - 1, c) + neighbour(u, m, x, y, z + 1, c);
    T r = c + alpha * (sum - T(6) * c);
    if (m[at(x, y, z)] == Heater) r += T(0.01);
    return r;
}

template <typename T>
__global__ void step(const T* u, T* next, const Material* m, T alpha)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= NX || y >= NY) return;
    for (int z = 0; z < NZ; ++z)
    {
        if (m[at(x, y, z)] == Insulator) continue;
        next[at(x, y, z)] = update(u, m, x, y, z, alpha);
    }
}

template <typename T>
bool simulate(const char* name, int steps, double tolerance)
{
    const int n = NX * NY * NZ;
    const T alpha = T(0.15);
    std::vector<Material> m(n, Metal);
    for (int z = 0; z < NZ; ++z)
        for (int y = 0; y < NY; ++y)
            for (int x = 0; x < NX; ++x)
            {
                if ((x - 15) * (x - 15) + (y - 14) * (y - 14) < 30) m[at(x, y, z)] = Insulator;
                if (x > 28 && x < 33 && y > 4 && y < 8 && z % 4 == 0) m[at(x, y, z)] = Heater;
            }
    std::vector<T> u(n, T(0)), v(n, T(0)), result(n);

    T *du, *dv;
    Material* dm;
    check(cudaMalloc(&du, n * sizeof(T)), "u");
    check(cudaMalloc(&dv, n * sizeof(T)), "v");
    check(cudaMalloc(&dm, n * sizeof(Material)), "m");
    check(cudaMemcpy(du, u.data(), n * sizeof(T), cudaMemcpyHostToDevice), "copy u");
    check(cudaMemcpy(dv, u.data(), n * sizeof(T), cudaMemcpyHostToDevice), "copy v");
    check(cudaMemcpy(dm, m.data(), n * sizeof(Material), cudaMemcpyHostToDevice), "copy m");

    dim3 block(16, 8), grid((NX + 15) / 16, (NY + 7) / 8);
    auto t0 = std::chrono::steady_clock::now();
    for (int s = 0; s < steps; ++s)
    {
        step<T><<<grid, block>>>(du, dv, dm, alpha);
        std::swap(du, dv);
    }
    check(cudaDeviceSynchronize(), "kernels");
    std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - t0;
    check(cudaMemcpy(result.data(), du, n * sizeof(T), cudaMemcpyDeviceToHost), "copy back");

    for (int s = 0; s < steps; ++s)
    {
        for (int z = 0; z < NZ; ++z)
            for (int y = 0; y < NY; ++y)
                for (int x = 0; x < NX; ++x)
                    if (m[at(x, y, z)] != Insulator) v[at(x, y, z)] = update(u.data(), m.data(), x, y, z, alpha);
        u.swap(v);
    }
    double worst = 0, heat = 0;
    for (int i = 0; i < n; ++i)
    {
        worst = std::fmax(worst, std::fabs((double)u[i] - (double)result[i]));
        heat += result[i];
    }
    std::cout << name << ": heat " << (long)(heat + 0.5) << ", " << (worst < tolerance ? "ok" : "WRONG") << "\n";
    std::cout << name << ": " << us.count() / steps << " us per step, elapsed " << us.count() << " us\n";
    cudaFree(du);
    cudaFree(dv);
    cudaFree(dm);
    return worst < tolerance;
}

}  // namespace

int main()
{
    try
    {
        bool ok = simulate<float>("float", 20, 1e-4);
        ok = simulate<double>("double", 10, 1e-10) && ok;
        return ok ? 0 : 1;
    }
    catch (const std::exception& e)
    {
        std::cerr << e.what() << std::endl;
        return 2;
    }
}
