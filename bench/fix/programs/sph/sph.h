// SPDX-License-Identifier: Apache-2.0
#ifndef SPH_H
#define SPH_H

#define GRID 16
#define CELLS (GRID * GRID * GRID)
#define H_RADIUS (1.0f / GRID)

struct Fluid {
    int n;
    float mass, stiffness, rest_density, viscosity, gravity;
};

__host__ __device__ inline int cell_coord(float v)
{
    int c = (int)(v * GRID);
    if (c < 0) c = 0;
    if (c > GRID - 1) c = GRID - 1;
    return c;
}

__host__ __device__ inline int cell_of(float3 p)
{
    return (cell_coord(p.z) * GRID + cell_coord(p.y)) * GRID + cell_coord(p.x);
}

#endif
