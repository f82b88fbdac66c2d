// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics of a Lennard-Jones fluid with neighbour lists.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <chrono>
#include <cuda_runtime.h>
#include "neighbor.cuh"

#define CUDA_SAFE(call) { cudaError_t err = call; if (err != cudaSuccess) { \
    fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(err)); return 1; } }

int main()
{
    const int side = 10;
    Params p;
    p.natoms = side * side * side;
    p.box = side * 1.25f;
    p.cutoff = 2.5f;
    p.skin = 0.4f;

    std::vector<float4> pos(p.natoms), vel(p.natoms), force(p.natoms);
    std::vector<int> type(p.natoms);
    unsigned s = 4711;
    auto rnd = [&s]() { s = s * 1103515245u + 12345u; return ((s >> 16) & 0x7fff) / 32768.0f - 0.5f; };
    for (int i = 0; i < p.natoms; i++) {
        int z = i / (side * side), y = i / side % side, x = i % side;
        pos[i] = make_float4((x + 0.5f + 0.1f * rnd()) * 1.25f, (y + 0.5f + 0.1f * rnd()) * 1.25f,
                             (z + 0.5f + 0.1f * rnd()) * 1.25f, 0);
        vel[i] = make_float4(rnd(), rnd(), rnd(), 0);
        type[i] = z == 0;
    }

    float4 *d_pos, *d_vel, *d_force;
    int *d_neigh, *d_nneigh, *d_type;
    CUDA_SAFE(cudaMalloc(&d_pos, p.natoms * sizeof(float4)));
    CUDA_SAFE(cudaMalloc(&d_vel, p.natoms * sizeof(float4)));
    CUDA_SAFE(cudaMalloc(&d_force, p.natoms * sizeof(float4)));
    CUDA_SAFE(cudaMalloc(&d_neigh, p.natoms * MAX_NEIGH * sizeof(int)));
    CUDA_SAFE(cudaMalloc(&d_nneigh, p.natoms * sizeof(int)));
    CUDA_SAFE(cudaMalloc(&d_type, p.natoms * sizeof(int)));
    CUDA_SAFE(cudaMemcpy(d_pos, pos.data(), p.natoms * sizeof(float4), cudaMemcpyHostToDevice));
    CUDA_SAFE(cudaMemcpy(d_vel, vel.data(), p.natoms * sizeof(float4), cudaMemcpyHostToDevice));
    CUDA_SAFE(cudaMemcpy(d_type, type.data(), p.natoms * sizeof(int), cudaMemcpyHostToDevice));

    int threads = 128, blocks = (p.natoms + threads - 1) / threads, steps = 10;
    auto t0 = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; step++) {
        if (step % 5 == 0)
            build_neighbor_list<<<blocks, threads>>>(d_pos, d_neigh, d_nneigh, p);
        compute_forces<<<blocks, threads>>>(d_pos, d_neigh, d_nneigh, d_force, p);
        integrate<<<blocks, threads>>>(d_pos, d_vel, d_force, d_type, 0.002f, p);
    }
    compute_forces<<<blocks, threads>>>(d_pos, d_neigh, d_nneigh, d_force, p);
    CUDA_SAFE(cudaDeviceSynchronize());
    double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();

    std::vector<int> nneigh(p.natoms);
    CUDA_SAFE(cudaMemcpy(pos.data(), d_pos, p.natoms * sizeof(float4), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(force.data(), d_force, p.natoms * sizeof(float4), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(nneigh.data(), d_nneigh, p.natoms * sizeof(int), cudaMemcpyDeviceToHost));

    // forces of the final positions, without lists
    double worst = 0, energy = 0;
    long pairs = 0;
    for (int i = 0; i < p.natoms; i++) {
        double f[3] = {0, 0, 0};
        for (int j = 0; j < p.natoms; j++) {
            if (i == j)
                continue;
            float dx = minimum_image(pos[i].x - pos[j].x, p.box);
            float dy = minimum_image(pos[i].y - pos[j].y, p.box);
            float dz = minimum_image(pos[i].z - pos[j].z, p.box);
            float r2 = dx * dx + dy * dy + dz * dz, e;
            if (r2 < p.cutoff * p.cutoff) {
                float k = lj_pair(r2, &e);
                f[0] += k * dx;
                f[1] += k * dy;
                f[2] += k * dz;
            }
        }
        worst = fmax(worst, fabs(f[0] - force[i].x) / (1 + fabs(f[0])));
        worst = fmax(worst, fabs(f[1] - force[i].y) / (1 + fabs(f[1])));
        worst = fmax(worst, fabs(f[2] - force[i].z) / (1 + fabs(f[2])));
        energy += force[i].w;
        pairs += nneigh[i];
    }
    printf("%d atoms, %.1f neighbours each\n", p.natoms, (double)pairs / p.natoms);
    printf("potential energy per atom %.3f\n", energy / p.natoms);
    printf("Loop time of %.4f s for %d steps\n", wall, steps);
    // a pair at the very cutoff may be in or out, its force is 0.039
    printf("forces %s\n", worst < 0.05 ? "verified" : "WRONG");

    cudaFree(d_pos);
    cudaFree(d_vel);
    cudaFree(d_force);
    cudaFree(d_neigh);
    cudaFree(d_nneigh);
    cudaFree(d_type);
    return worst < 0.05 ? 0 : 1;
}
