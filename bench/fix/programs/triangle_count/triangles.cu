// SPDX-License-Identifier: Apache-2.0
// Counts triangles: one thread an edge, it intersects the sorted lists of both ends.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include "csr.h"

#define GPU_OK(x)                                                          \
    if ((x) != cudaSuccess) {                                              \
        printf("error %s in %s:%d\n", cudaGetErrorString(cudaGetLastError()), __FILE__, __LINE__); \
        exit(2);                                                           \
    }

__host__ __device__ inline int intersection_size(const int *a, int na, const int *b, int nb)
{
    int i = 0, j = 0, common = 0;
    while (i < na && j < nb) {
        if (a[i] < b[j])
            i++;
        else if (a[i] > b[j])
            j++;
        else {
            common++;
            i++;
            j++;
        }
    }
    return common;
}

__global__ void count_triangles(const int *offset, const int *nbr, const int *from, int edges, unsigned long long *total)
{
    int e = threadIdx.x + blockDim.x * blockIdx.x;
    if (e < edges) {
        int u = from[e], v = nbr[e];
        int found = intersection_size(nbr + offset[u], offset[u + 1] - offset[u],
                                      nbr + offset[v], offset[v + 1] - offset[v]);
        if (found > 0)
            atomicAdd(total, (unsigned long long)found);
    }
}

int main()
{
    Csr g = preferential_graph(6000, 8, 5);
    int edges = (int)g.neighbour.size();
    std::vector<int> from(edges);
    for (int v = 0; v < g.n; v++)
        for (int e = g.offset[v]; e < g.offset[v + 1]; e++)
            from[e] = v;

    int *d_off, *d_nbr, *d_from;
    unsigned long long *d_total, total = 0;
    GPU_OK(cudaMalloc(&d_off, g.offset.size() * sizeof(int)));
    GPU_OK(cudaMalloc(&d_nbr, edges * sizeof(int)));
    GPU_OK(cudaMalloc(&d_from, edges * sizeof(int)));
    GPU_OK(cudaMalloc(&d_total, sizeof(total)));
    GPU_OK(cudaMemcpy(d_off, g.offset.data(), g.offset.size() * sizeof(int), cudaMemcpyHostToDevice));
    GPU_OK(cudaMemcpy(d_nbr, g.neighbour.data(), edges * sizeof(int), cudaMemcpyHostToDevice));
    GPU_OK(cudaMemcpy(d_from, from.data(), edges * sizeof(int), cudaMemcpyHostToDevice));
    GPU_OK(cudaMemcpy(d_total, &total, sizeof(total), cudaMemcpyHostToDevice));

    auto begin = std::chrono::high_resolution_clock::now();
    count_triangles<<<(edges + 127) / 128, 128>>>(d_off, d_nbr, d_from, edges, d_total);
    GPU_OK(cudaDeviceSynchronize());
    auto end = std::chrono::high_resolution_clock::now();
    GPU_OK(cudaMemcpy(&total, d_total, sizeof(total), cudaMemcpyDeviceToHost));

    unsigned long long expected = 0;
    for (int e = 0; e < edges; e++) {
        int u = from[e], v = g.neighbour[e];
        expected += intersection_size(&g.neighbour[0] + g.offset[u], g.offset[u + 1] - g.offset[u],
                                      &g.neighbour[0] + g.offset[v], g.offset[v + 1] - g.offset[v]);
    }
    double s = std::chrono::duration<double>(end - begin).count();
    printf("%d vertices, %d edges: %llu triangles, %s\n", g.n, edges, total, total == expected ? "correct" : "WRONG");
    printf("%.6f s, %.2f Medges/s\n", s, edges / s * 1e-6);
    cudaFree(d_off);
    cudaFree(d_nbr);
    cudaFree(d_from);
    cudaFree(d_total);
    return total != expected;
}
