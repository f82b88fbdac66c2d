// SPDX-License-Identifier: Apache-2.0
// A dam break with smoothed particles. The host sorts the particles into cells before each step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <cuda_runtime.h>
#include "sph_kernels.cuh"

static void chk(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "sph.cu:%d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
}
#define CHK(x) chk((x), __LINE__)

static void sort_by_cell(std::vector<float3> &pos, std::vector<float3> &vel, std::vector<int> &start)
{
    std::vector<int> order(pos.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cell_of(pos[a]) < cell_of(pos[b]); });
    std::vector<float3> p(pos.size()), v(vel.size());
    std::fill(start.begin(), start.end(), 0);
    for (size_t i = 0; i < order.size(); i++) {
        p[i] = pos[order[i]];
        v[i] = vel[order[i]];
        start[cell_of(p[i]) + 1]++;
    }
    for (int c = 0; c < CELLS; c++)
        start[c + 1] += start[c];
    pos = p;
    vel = v;
}

int main()
{
    Fluid f;
    f.mass = 0.02f;
    f.stiffness = 1.0f;
    f.rest_density = 1000.0f;
    f.viscosity = 1.0f;
    f.gravity = 9.8f;

    std::vector<float3> pos, vel;
    unsigned s = 3;
    auto jitter = [&s] { s = s * 1664525u + 1013904223u; return ((s >> 8) / 16777216.0f - 0.5f) * 0.008f; };
    for (int z = 0; z < 12; z++)
        for (int y = 0; y < 14; y++)
            for (int x = 0; x < 12; x++) {
                pos.push_back(make_float3(0.02f + 0.028f * x + jitter(), 0.02f + 0.028f * y + jitter(), 0.02f + 0.028f * z + jitter()));
                vel.push_back(make_float3(0, 0, 0));
            }
    f.n = (int)pos.size();
    std::vector<int> start(CELLS + 1);

    float3 *d_pos, *d_vel, *d_force;
    float *d_density;
    int *d_start;
    size_t bytes = f.n * sizeof(float3);
    CHK(cudaMalloc(&d_pos, bytes));
    CHK(cudaMalloc(&d_vel, bytes));
    CHK(cudaMalloc(&d_force, bytes));
    CHK(cudaMalloc(&d_density, f.n * sizeof(float)));
    CHK(cudaMalloc(&d_start, (CELLS + 1) * sizeof(int)));

    cudaEvent_t t0, t1;
    CHK(cudaEventCreate(&t0));
    CHK(cudaEventCreate(&t1));
    float total = 0;
    const int steps = 4, threads = 96, blocks = (f.n + threads - 1) / threads;
    std::vector<float3> before;
    for (int step = 0; step < steps; step++) {
        sort_by_cell(pos, vel, start);
        before = pos;
        CHK(cudaMemcpy(d_pos, pos.data(), bytes, cudaMemcpyHostToDevice));
        CHK(cudaMemcpy(d_vel, vel.data(), bytes, cudaMemcpyHostToDevice));
        CHK(cudaMemcpy(d_start, start.data(), (CELLS + 1) * sizeof(int), cudaMemcpyHostToDevice));
        CHK(cudaEventRecord(t0));
        compute_density<<<blocks, threads>>>(f, d_pos, d_start, d_density);
        compute_force<<<blocks, threads>>>(f, d_pos, d_vel, d_start, d_density, d_force);
        integrate<<<blocks, threads>>>(f, d_pos, d_vel, d_force, d_density, 0.001f);
        CHK(cudaEventRecord(t1));
        CHK(cudaEventSynchronize(t1));
        float ms;
        CHK(cudaEventElapsedTime(&ms, t0, t1));
        total += ms;
        CHK(cudaMemcpy(pos.data(), d_pos, bytes, cudaMemcpyDeviceToHost));
        CHK(cudaMemcpy(vel.data(), d_vel, bytes, cudaMemcpyDeviceToHost));
    }

    // densities of the last step against all pairs
    std::vector<float> density(f.n);
    CHK(cudaMemcpy(density.data(), d_density, f.n * sizeof(float), cudaMemcpyDeviceToHost));
    double worst = 0, mean = 0, height = 0;
    const double h2 = (double)H_RADIUS * H_RADIUS, k = 315.0 / (64.0 * 3.14159265 * pow(H_RADIUS, 9));
    for (int i = 0; i < f.n; i++) {
        double sum = 0;
        for (int j = 0; j < f.n; j++) {
            double dx = before[i].x - before[j].x, dy = before[i].y - before[j].y, dz = before[i].z - before[j].z;
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < h2)
                sum += f.mass * k * pow(h2 - r2, 3);
        }
        worst = fmax(worst, fabs(sum - density[i]) / sum);
        mean += density[i] / f.n;
        height += pos[i].y / f.n;
    }
    printf("%d particles, mean density %.1f, mean height %.4f\n", f.n, mean, height);
    printf("%d steps in %.3f ms (%.1f kparticles/s)\n", steps, total, f.n * steps / total);
    printf("%s\n", worst < 1e-3 ? "density ok" : "density WRONG");
    cudaFree(d_pos);
    cudaFree(d_vel);
    cudaFree(d_force);
    cudaFree(d_density);
    cudaFree(d_start);
    return worst < 1e-3 ? 0 : 1;
}
