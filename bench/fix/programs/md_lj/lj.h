// SPDX-License-Identifier: Apache-2.0
#ifndef LJ_H
#define LJ_H

#define MAX_NEIGH 96

struct Params {
    int natoms;
    float box;       // cubic, periodic
    float cutoff;
    float skin;
};

__host__ __device__ inline float minimum_image(float d, float box)
{
    if (d > 0.5f * box)
        d -= box;
    else if (d < -0.5f * box)
        d += box;
    return d;
}

// force factor and energy of a Lennard-Jones pair with epsilon = sigma = 1
__host__ __device__ inline float lj_pair(float r2, float *energy)
{
    float inv2 = 1.0f / r2;
    float inv6 = inv2 * inv2 * inv2;
    *energy = 4.0f * inv6 * (inv6 - 1.0f);
    return 24.0f * inv2 * inv6 * (2.0f * inv6 - 1.0f);
}

#endif
