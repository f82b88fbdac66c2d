// SPDX-License-Identifier: Apache-2.0
// Lloyd's k-means with missing points. usage: kmeans [points] [clusters]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <cuda_runtime.h>
#include "kmeans_kernels.cu"

#define DIMS 4
#define MAX_ITER 40

static double get_time(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + t.tv_usec * 1e-6;
}

static void check(const char *what)
{
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
        exit(-1);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4000;
    int k = argc > 2 ? atoi(argv[2]) : 8;
    if (n < k || k < 1 || k > 32) {
        fprintf(stderr, "usage: %s [points] [clusters, at most 32]\n", argv[0]);
        return 1;
    }

    float *points = (float *)malloc(sizeof(float) * n * DIMS); // dimension by dimension
    unsigned char *valid = (unsigned char *)malloc(n);
    int *membership = (int *)malloc(sizeof(int) * n);
    float *centres = (float *)malloc(sizeof(float) * k * DIMS);
    srand(3);
    for (int p = 0; p < n; p++) {
        int group = rand() % k;
        for (int d = 0; d < DIMS; d++)
            points[d * n + p] = (float)((group * (d + 3) * 7) % 23) + (float)(rand() % 1000) / 250.0f;
        valid[p] = rand() % 8 != 0;
        membership[p] = -1;
    }
    for (int c = 0; c < k; c++)
        for (int d = 0; d < DIMS; d++)
            centres[c * DIMS + d] = points[d * n + c * (n / k)];

    float *d_points, *d_centres;
    unsigned char *d_valid;
    int *d_membership, *d_changed, *d_counts;
    long long *d_sums;
    cudaMalloc((void **)&d_points, sizeof(float) * n * DIMS);
    cudaMalloc((void **)&d_valid, n);
    cudaMalloc((void **)&d_membership, sizeof(int) * n);
    cudaMalloc((void **)&d_centres, sizeof(float) * k * DIMS);
    cudaMalloc((void **)&d_changed, sizeof(int));
    cudaMalloc((void **)&d_counts, sizeof(int) * k);
    cudaMalloc((void **)&d_sums, sizeof(long long) * k * DIMS);
    check("cudaMalloc");
    cudaMemcpy(d_points, points, sizeof(float) * n * DIMS, cudaMemcpyHostToDevice);
    cudaMemcpy(d_valid, valid, n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_membership, membership, sizeof(int) * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_centres, centres, sizeof(float) * k * DIMS, cudaMemcpyHostToDevice);
    check("cudaMemcpy");

    int threads = 256, blocks = (n + threads - 1) / threads, iter, changed = 1;
    double start = get_time();
    for (iter = 0; iter < MAX_ITER && changed > 0; iter++) {
        cudaMemset(d_changed, 0, sizeof(int));
        cudaMemset(d_counts, 0, sizeof(int) * k);
        cudaMemset(d_sums, 0, sizeof(long long) * k * DIMS);
        kernel_assign<<<blocks, threads>>>(d_points, d_valid, d_centres, d_membership, d_changed, n, DIMS, k);
        kernel_accumulate<<<blocks, threads>>>(d_points, d_membership, d_sums, d_counts, n, DIMS);
        kernel_update<<<1, 32>>>(d_centres, d_sums, d_counts, DIMS, k);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
        check("iteration");
    }
    double stop = get_time();

    cudaMemcpy(membership, d_membership, sizeof(int) * n, cudaMemcpyDeviceToHost);
    cudaMemcpy(centres, d_centres, sizeof(float) * k * DIMS, cudaMemcpyDeviceToHost);

    // Each valid point must belong to a centre that is (almost) the nearest.
    int wrong = 0, used = 0;
    double inertia = 0;
    for (int p = 0; p < n; p++) {
        if (!valid[p]) {
            wrong += membership[p] != -1;
            continue;
        }
        used++;
        double best = 1e30, own = 1e30;
        for (int c = 0; c < k; c++) {
            double d2 = 0;
            for (int d = 0; d < DIMS; d++)
                d2 += pow((double)points[d * n + p] - centres[c * DIMS + d], 2);
            if (d2 < best)
                best = d2;
            if (c == membership[p])
                own = d2;
        }
        // the centres have moved once more since the points chose
        if (changed == 0 && own > best * 1.001 + 1e-4)
            wrong++;
        inertia += own;
    }
    printf("points %d (valid %d), clusters %d, iterations %d\n", n, used, k, iter);
    printf("inertia %.1f\n", inertia);
    printf("Time: %f seconds\n", stop - start);
    printf("%s\n", wrong == 0 && inertia < 1e9 ? "SUCCESS" : "FAILURE");

    cudaFree(d_points);
    cudaFree(d_valid);
    cudaFree(d_membership);
    cudaFree(d_centres);
    cudaFree(d_changed);
    cudaFree(d_counts);
    cudaFree(d_sums);
    free(points);
    free(valid);
    free(membership);
    free(centres);
    return wrong != 0;
}
