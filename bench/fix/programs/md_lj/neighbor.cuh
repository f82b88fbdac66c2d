// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "lj.h"

__device__ float distance2(float4 a, float4 b, float box)
{
    float dx = minimum_image(a.x - b.x, box);
    float dy = minimum_image(a.y - b.y, box);
    float dz = minimum_image(a.z - b.z, box);
    return dx * dx + dy * dy + dz * dz;
}

// Each atom looks at all others (no cells yet) and keeps those within cutoff + skin.
__global__ void build_neighbor_list(const float4 *pos, int *neigh, int *nneigh, Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.natoms)
        return;
    float reach = (p.cutoff + p.skin) * (p.cutoff + p.skin);
    float4 me = pos[i];
    int count = 0;
    for (int j = 0; j < p.natoms; j++) {
        if (j == i)
            continue;
        if (distance2(me, pos[j], p.box) < reach) {
            if (count < MAX_NEIGH)
                neigh[count * p.natoms + i] = j;
            count++;
        }
    }
    nneigh[i] = count < MAX_NEIGH ? count : MAX_NEIGH;
}

__global__ void compute_forces(const float4 *pos, const int *neigh, const int *nneigh, float4 *force, Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.natoms) {
        float4 me = pos[i];
        float fx = 0, fy = 0, fz = 0, e = 0;
        int n = nneigh[i];
        for (int k = 0; k < n; k++) {
            float4 other = pos[neigh[k * p.natoms + i]];
            float dx = minimum_image(me.x - other.x, p.box);
            float dy = minimum_image(me.y - other.y, p.box);
            float dz = minimum_image(me.z - other.z, p.box);
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < p.cutoff * p.cutoff) {
                float epair;
                float f = lj_pair(r2, &epair);
                fx += f * dx;
                fy += f * dy;
                fz += f * dz;
                e += 0.5f * epair;
            }
        }
        force[i] = make_float4(fx, fy, fz, e);
    }
}

// Atoms of type 1 are walls and stay where they are.
__global__ void integrate(float4 *pos, float4 *vel, const float4 *force, const int *type, float dt, Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.natoms || type[i] == 1)
        return;
    vel[i].x += dt * force[i].x;
    vel[i].y += dt * force[i].y;
    vel[i].z += dt * force[i].z;
    float4 r = pos[i];
    r.x += dt * vel[i].x;
    r.y += dt * vel[i].y;
    r.z += dt * vel[i].z;
    if (r.x < 0) r.x += p.box; else if (r.x >= p.box) r.x -= p.box;
    if (r.y < 0) r.y += p.box; else if (r.y >= p.box) r.y -= p.box;
    if (r.z < 0) r.z += p.box; else if (r.z >= p.box) r.z -= p.box;
    pos[i] = r;
}
