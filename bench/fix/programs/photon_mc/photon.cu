// SPDX-License-Identifier: Apache-2.0
// Monte Carlo of light in layered tissue. Each thread follows its photons one after the other:
// hop, drop a part of the weight, spin, play roulette when little is left.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>
#include <cuda_runtime.h>

#define NUM_THREADS 1024
#define PHOTONS_PER_THREAD 4
#define NUM_LAYERS 3
#define BINS 60
#define DZ 0.01f
#define WEIGHT 1e-3f
#define CHANCE 0.1f

struct Layer {
    float z0, z1;
    float mua, mus, g;
};

__constant__ Layer layers[NUM_LAYERS];

struct Photon {
    float x, y, z;
    float ux, uy, uz;
    float w;
    int layer;
    bool dead;
};

__device__ unsigned int wang(unsigned int s)
{
    s = (s ^ 61u) ^ (s >> 16);
    s *= 9u;
    s ^= s >> 4;
    s *= 0x27d4eb2du;
    s ^= s >> 15;
    return s;
}

__device__ float rand_open(unsigned int *state)
{
    unsigned int s = *state;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    *state = s;
    return ((s >> 8) + 1) * (1.0f / 16777217.0f);
}

__device__ void launch(Photon *p)
{
    p->x = p->y = p->z = 0.0f;
    p->ux = p->uy = 0.0f;
    p->uz = 1.0f;
    p->w = 1.0f;
    p->layer = 0;
    p->dead = false;
}

// Moves by one step; stops at a border between layers, leaves at the top or the bottom.
__device__ bool hop(Photon *p, unsigned int *rng, unsigned int *out_top, unsigned int *out_bottom)
{
    Layer l = layers[p->layer];
    float s = -logf(rand_open(rng)) / (l.mua + l.mus);
    float to_border = 1e10f;
    if (p->uz > 0.0f)
        to_border = (l.z1 - p->z) / p->uz;
    else if (p->uz < 0.0f)
        to_border = (l.z0 - p->z) / p->uz;

    if (s < to_border) {
        p->x += s * p->ux;
        p->y += s * p->uy;
        p->z += s * p->uz;
        return true;
    }
    p->x += to_border * p->ux;
    p->y += to_border * p->uy;
    if (p->uz > 0.0f) {
        p->z = l.z1;
        if (p->layer == NUM_LAYERS - 1) {
            atomicAdd(out_bottom, (unsigned int)(p->w * 1024.0f));
            p->dead = true;
        } else
            p->layer++;
    } else {
        p->z = l.z0;
        if (p->layer == 0) {
            atomicAdd(out_top, (unsigned int)(p->w * 1024.0f));
            p->dead = true;
        } else
            p->layer--;
    }
    return false;
}

__device__ void drop(Photon *p, unsigned int *absorbed)
{
    Layer l = layers[p->layer];
    float dw = p->w * l.mua / (l.mua + l.mus);
    p->w -= dw;
    int bin = (int)(p->z / DZ);
    if (bin > BINS - 1)
        bin = BINS - 1;
    atomicAdd(&absorbed[bin], (unsigned int)(dw * 1024.0f));
}

__device__ void spin(Photon *p, unsigned int *rng)
{
    float g = layers[p->layer].g;
    float cost;
    if (g == 0.0f)
        cost = 2.0f * rand_open(rng) - 1.0f;
    else {
        float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * rand_open(rng));
        cost = (1.0f + g * g - t * t) / (2.0f * g);
    }
    cost = fminf(1.0f, fmaxf(-1.0f, cost));
    float sint = sqrtf(1.0f - cost * cost);
    float psi = 6.2831853f * rand_open(rng);
    float cosp = cosf(psi), sinp = sinf(psi);
    if (fabsf(p->uz) > 0.99999f) {
        p->ux = sint * cosp;
        p->uy = sint * sinp;
        p->uz = p->uz >= 0.0f ? cost : -cost;
    } else {
        float t = sqrtf(1.0f - p->uz * p->uz);
        float ux = sint * (p->ux * p->uz * cosp - p->uy * sinp) / t + p->ux * cost;
        float uy = sint * (p->uy * p->uz * cosp + p->ux * sinp) / t + p->uy * cost;
        p->uz = -sint * cosp * t + p->uz * cost;
        p->ux = ux;
        p->uy = uy;
    }
}

__global__ void transport(unsigned int *absorbed, unsigned int *out_top, unsigned int *out_bottom, unsigned int *steps)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int rng = wang(id + 1);
    if (rng == 0)
        rng = 1;
    unsigned int n = 0;
    for (int k = 0; k < PHOTONS_PER_THREAD; k++) {
        Photon p;
        launch(&p);
        while (!p.dead) {
            n++;
            if (hop(&p, &rng, out_top, out_bottom)) {
                drop(&p, absorbed);
                spin(&p, &rng);
            }
            if (!p.dead && p.w < WEIGHT) {
                if (rand_open(&rng) <= CHANCE)
                    p.w /= CHANCE;
                else
                    p.dead = true;
            }
        }
    }
    steps[id] = n;
}

int main()
{
    Layer host[NUM_LAYERS] = {{0.0f, 0.08f, 3.0f, 40.0f, 0.8f}, {0.08f, 0.2f, 1.0f, 60.0f, 0.9f}, {0.2f, 0.6f, 4.0f, 30.0f, 0.0f}};
    unsigned int *d_absorbed, *d_out, *d_steps;
    if (cudaMalloc(&d_absorbed, BINS * sizeof(unsigned int)) != cudaSuccess ||
        cudaMalloc(&d_out, 2 * sizeof(unsigned int)) != cudaSuccess ||
        cudaMalloc(&d_steps, NUM_THREADS * sizeof(unsigned int)) != cudaSuccess) {
        fprintf(stderr, "no memory on the device\n");
        return 1;
    }
    cudaMemcpyToSymbol(layers, host, sizeof(host));
    cudaMemset(d_absorbed, 0, BINS * sizeof(unsigned int));
    cudaMemset(d_out, 0, 2 * sizeof(unsigned int));

    time_t now = time(NULL);
    printf("started %s", ctime(&now));
    cudaEvent_t t0, t1;
    cudaEventCreate(&t0);
    cudaEventCreate(&t1);
    cudaEventRecord(t0);
    transport<<<NUM_THREADS / 128, 128>>>(d_absorbed, d_out, d_out + 1, d_steps);
    cudaEventRecord(t1);
    cudaEventSynchronize(t1);
    float ms;
    cudaEventElapsedTime(&ms, t0, t1);

    std::vector<unsigned int> absorbed(BINS), steps(NUM_THREADS);
    unsigned int out[2];
    cudaMemcpy(absorbed.data(), d_absorbed, BINS * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    cudaMemcpy(steps.data(), d_steps, NUM_THREADS * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    if (cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "kernel failed\n");
        return 1;
    }

    double photons = NUM_THREADS * PHOTONS_PER_THREAD, total = 0;
    unsigned long long all = 0;
    for (unsigned int s : steps)
        all += s;
    for (unsigned int a : absorbed)
        total += a;
    double scale = 1.0 / (1024.0 * photons);
    printf("photons %.0f, steps %llu\n", photons, all);
    printf("reflected %.3f transmitted %.3f absorbed %.3f\n", out[0] * scale, out[1] * scale, total * scale);
    printf("%.3f ms, %.1f photons per ms\n", ms, photons / ms);

    FILE *f = fopen("absorption.csv", "w");
    if (f) {
        fprintf(f, "depth_cm,fraction\n");
        for (int b = 0; b < BINS; b++)
            fprintf(f, "%.3f,%.6f\n", (b + 0.5f) * DZ, absorbed[b] * scale);
        fclose(f);
    }
    // rounding down of the tallies loses up to 1/1024 a step
    double sum = (out[0] + out[1] + total) * scale;
    printf("balance %s\n", sum > 0.9 && sum < 1.02 ? "ok" : "VIOLATED");
    cudaFree(d_absorbed);
    cudaFree(d_out);
    cudaFree(d_steps);
    return 0;
}
