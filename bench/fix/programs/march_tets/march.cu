// SPDX-License-Identifier: Apache-2.0
// Marching tetrahedra: count, scan on the host, emit. Checks the area and that the vertices lie on the surface.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <cuda_runtime.h>
#include "tets.cuh"

#define SAFE_CALL(call)                                                              \
    do {                                                                             \
        cudaError err = call;                                                        \
        if (cudaSuccess != err) {                                                    \
            fprintf(stderr, "Cuda error in line %i : %s.\n", __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                      \
        }                                                                            \
    } while (0)

template <class Field>
std::vector<Triangle> extract(Field field)
{
    const int cells = RES * RES * RES, threads = 128;
    int *d_count;
    SAFE_CALL(cudaMalloc(&d_count, (cells + 1) * sizeof(int)));
    count_triangles<Field><<<(cells + threads - 1) / threads, threads>>>(field, d_count);
    std::vector<int> count(cells), first(cells + 1, 0);
    SAFE_CALL(cudaMemcpy(count.data(), d_count, cells * sizeof(int), cudaMemcpyDeviceToHost));
    std::partial_sum(count.begin(), count.end(), first.begin() + 1);
    SAFE_CALL(cudaMemcpy(d_count, first.data(), (cells + 1) * sizeof(int), cudaMemcpyHostToDevice));

    std::vector<Triangle> tris(first[cells]);
    Triangle *d_tris;
    SAFE_CALL(cudaMalloc(&d_tris, tris.size() * sizeof(Triangle)));
    emit_triangles<Field><<<(cells + threads - 1) / threads, threads>>>(field, d_count, d_tris);
    SAFE_CALL(cudaMemcpy(tris.data(), d_tris, tris.size() * sizeof(Triangle), cudaMemcpyDeviceToHost));
    SAFE_CALL(cudaFree(d_count));
    SAFE_CALL(cudaFree(d_tris));
    return tris;
}

static double area(const std::vector<Triangle> &tris)
{
    double sum = 0;
    for (const Triangle &t : tris) {
        double ax = t.v[1].x - t.v[0].x, ay = t.v[1].y - t.v[0].y, az = t.v[1].z - t.v[0].z;
        double bx = t.v[2].x - t.v[0].x, by = t.v[2].y - t.v[0].y, bz = t.v[2].z - t.v[0].z;
        double cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx;
        sum += 0.5 * sqrt(cx * cx + cy * cy + cz * cz);
    }
    return sum;
}

// farthest that a vertex lies from the surface, in field values
template <class Field>
double off_surface(const std::vector<Triangle> &tris, Field field)
{
    double worst = 0;
    for (const Triangle &t : tris)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(field(t.v[k].x, t.v[k].y, t.v[k].z)));
    return worst;
}

int main()
{
    std::vector<Triangle> sphere = extract(SphereField()), blobs = extract(BlobsField());
    const double exact = 4 * 3.14159265 * 0.16;
    printf("sphere: %zu triangles, area %.4f (exact %.4f)\n", sphere.size(), area(sphere), exact);
    printf("blobs:  %zu triangles, area %.4f\n", blobs.size(), area(blobs));
    bool ok = fabs(area(sphere) - exact) < 0.02 * exact && off_surface(sphere, SphereField()) < 2e-3 &&
              off_surface(blobs, BlobsField()) < 0.2;
    printf("%s\n", ok ? "surface ok" : "surface BROKEN");
    return ok ? 0 : 1;
}
