// SPDX-License-Identifier: Apache-2.0
#ifndef SPH_KERNELS_CUH
#define SPH_KERNELS_CUH
#include "sph.h"

__device__ float poly6(float r2)
{
    const float h2 = H_RADIUS * H_RADIUS;
    if (r2 >= h2)
        return 0.0f;
    float d = h2 - r2;
    return 315.0f / (64.0f * 3.14159265f * h2 * h2 * h2 * h2 * H_RADIUS) * d * d * d;
}

// Density of the particles in a cell, as seen from p. Cells hold different numbers of particles.
__device__ float density_from_cell(const float3 *pos, const int *cell_start, int cell, float3 p, float mass)
{
    float sum = 0.0f;
    for (int j = cell_start[cell]; j < cell_start[cell + 1]; j++) {
        float dx = p.x - pos[j].x, dy = p.y - pos[j].y, dz = p.z - pos[j].z;
        sum += mass * poly6(dx * dx + dy * dy + dz * dz);
    }
    return sum;
}

__global__ void compute_density(Fluid f, const float3 *pos, const int *cell_start, float *density)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= f.n)
        return;
    float3 p = pos[i];
    int cx = cell_coord(p.x), cy = cell_coord(p.y), cz = cell_coord(p.z);
    float sum = 0.0f;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, GRID - 1); z++)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, GRID - 1); y++)
            for (int x = max(cx - 1, 0); x <= min(cx + 1, GRID - 1); x++)
                sum += density_from_cell(pos, cell_start, (z * GRID + y) * GRID + x, p, f.mass);
    density[i] = sum;
}

__global__ void compute_force(Fluid f, const float3 *pos, const float3 *vel, const int *cell_start, const float *density,
                              float3 *force)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= f.n)
        return;
    float3 p = pos[i], v = vel[i];
    float pressure = fmaxf(0.0f, f.stiffness * (density[i] - f.rest_density));
    float fx = 0.0f, fy = -f.gravity * density[i], fz = 0.0f;
    int cx = cell_coord(p.x), cy = cell_coord(p.y), cz = cell_coord(p.z);
    for (int z = cz - 1; z <= cz + 1; z++) {
        if (z < 0 || z >= GRID)
            continue;
        for (int y = cy - 1; y <= cy + 1; y++) {
            if (y < 0 || y >= GRID)
                continue;
            for (int x = cx - 1; x <= cx + 1; x++) {
                if (x < 0 || x >= GRID)
                    continue;
                int cell = (z * GRID + y) * GRID + x;
                for (int j = cell_start[cell]; j < cell_start[cell + 1]; j++) {
                    if (j == i)
                        continue;
                    float dx = p.x - pos[j].x, dy = p.y - pos[j].y, dz = p.z - pos[j].z;
                    float r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 >= H_RADIUS * H_RADIUS || r2 < 1e-12f)
                        continue;
                    float r = sqrtf(r2), d = H_RADIUS - r;
                    float other = fmaxf(0.0f, f.stiffness * (density[j] - f.rest_density));
                    float k = 45.0f / (3.14159265f * powf(H_RADIUS, 6.0f)) * f.mass / density[j];
                    float push = k * 0.5f * (pressure + other) * d * d / r;
                    float drag = k * f.viscosity * d;
                    fx += push * dx + drag * (vel[j].x - v.x);
                    fy += push * dy + drag * (vel[j].y - v.y);
                    fz += push * dz + drag * (vel[j].z - v.z);
                }
            }
        }
    }
    force[i] = make_float3(fx, fy, fz);
}

__device__ void bounce(float *x, float *v)
{
    if (*x < 0.0f) {
        *x = -*x;
        *v = -0.5f * *v;
    } else if (*x > 1.0f) {
        *x = 2.0f - *x;
        *v = -0.5f * *v;
    }
}

__global__ void integrate(Fluid f, float3 *pos, float3 *vel, const float3 *force, const float *density, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < f.n) {
        float3 v = vel[i], p = pos[i];
        v.x += dt * force[i].x / density[i];
        v.y += dt * force[i].y / density[i];
        v.z += dt * force[i].z / density[i];
        p.x += dt * v.x;
        p.y += dt * v.y;
        p.z += dt * v.z;
        bounce(&p.x, &v.x);
        bounce(&p.y, &v.y);
        bounce(&p.z, &v.z);
        pos[i] = p;
        vel[i] = v;
    }
}

#endif
