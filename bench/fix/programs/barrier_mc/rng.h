// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <math.h>

// A small generator that host and device share, so that both see the same paths.
struct Rng
{
    unsigned int a, b;

    __host__ __device__ explicit Rng(unsigned int seed) : a(seed * 2654435761u + 1u), b(362436069u ^ seed)
    {
        for (int i = 0; i < 4; i++) next();
    }

    __host__ __device__ unsigned int next()
    {
        a = 69069u * a + 1234567u;
        b ^= b << 13;
        b ^= b >> 17;
        b ^= b << 5;
        return a + b;
    }

    __host__ __device__ float uniform() { return ((next() >> 8) + 0.5f) * (1.0f / 16777216.0f); }

    // Polar method: draws again until the point lies in the circle.
    __host__ __device__ float normal()
    {
        float u, v, s;
        do
        {
            u = 2.0f * uniform() - 1.0f;
            v = 2.0f * uniform() - 1.0f;
            s = u * u + v * v;
        } while (s >= 1.0f || s == 0.0f);
        return u * sqrtf(-2.0f * logf(s) / s);
    }
};
