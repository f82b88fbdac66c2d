// SPDX-License-Identifier: Apache-2.0
#ifndef TETS_CUH
#define TETS_CUH
#include "field.h"

#define RES 28 // cells along an edge of the cube

// six tetrahedra around the diagonal from corner 0 to corner 7
__constant__ int c_tet[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

struct Triangle {
    float3 v[3];
};

__device__ inline float3 corner(int cell, int c)
{
    int x = cell % RES, y = cell / RES % RES, z = cell / (RES * RES);
    return make_float3((float)(x + (c & 1)) / RES, (float)(y + ((c >> 1) & 1)) / RES, (float)(z + (c >> 2)) / RES);
}

__device__ inline float3 cut(float3 a, float fa, float3 b, float fb)
{
    float t = fa / (fa - fb);
    return make_float3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}

// Triangles of one tetrahedron, 0 to 2, written to out if there is an out.
__device__ inline int march_tet(const float3 *p, const float *f, Triangle *out)
{
    int in[4], outside[4], ni = 0, no = 0;
    for (int k = 0; k < 4; k++) {
        if (f[k] < 0.0f)
            in[ni++] = k;
        else
            outside[no++] = k;
    }
    if (ni == 0 || ni == 4)
        return 0;
    if (ni == 2) {
        if (out) {
            float3 a = cut(p[in[0]], f[in[0]], p[outside[0]], f[outside[0]]);
            float3 b = cut(p[in[0]], f[in[0]], p[outside[1]], f[outside[1]]);
            float3 c = cut(p[in[1]], f[in[1]], p[outside[0]], f[outside[0]]);
            float3 d = cut(p[in[1]], f[in[1]], p[outside[1]], f[outside[1]]);
            out[0].v[0] = a;
            out[0].v[1] = b;
            out[0].v[2] = c;
            out[1].v[0] = b;
            out[1].v[1] = d;
            out[1].v[2] = c;
        }
        return 2;
    }
    int alone = ni == 1 ? in[0] : outside[0];
    if (out)
        for (int k = 0, n = 0; k < 4; k++)
            if (k != alone)
                out[0].v[n++] = cut(p[alone], f[alone], p[k], f[k]);
    return 1;
}

template <class Field>
__device__ int march_cell(Field field, int cell, Triangle *out)
{
    float3 p[8];
    float f[8];
    int below = 0;
    for (int c = 0; c < 8; c++) {
        p[c] = corner(cell, c);
        f[c] = field(p[c].x, p[c].y, p[c].z);
        if (f[c] < 0.0f)
            below++;
    }
    if (below == 0 || below == 8)
        return 0;
    int count = 0;
    for (int t = 0; t < 6; t++) {
        float3 tp[4];
        float tf[4];
        for (int k = 0; k < 4; k++) {
            tp[k] = p[c_tet[t][k]];
            tf[k] = f[c_tet[t][k]];
        }
        count += march_tet(tp, tf, out ? out + count : nullptr);
    }
    return count;
}

template <class Field>
__global__ void count_triangles(Field field, int *count)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < RES * RES * RES)
        count[cell] = march_cell(field, cell, nullptr);
}

template <class Field>
__global__ void emit_triangles(Field field, const int *first, Triangle *out)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= RES * RES * RES)
        return;
    if (first[cell + 1] == first[cell])
        return;
    march_cell(field, cell, out + first[cell]);
}

#endif
