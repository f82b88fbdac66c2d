// SPDX-License-Identifier: Apache-2.0
// Included by kmeans.cu.

__device__ float squared_distance(const float *point, const float *centre, int dims, int npoints)
{
    float sum = 0.0f;
    for (int d = 0; d < dims; d++) {
        float diff = point[d * npoints] - centre[d];
        sum += diff * diff;
    }
    return sum;
}

__global__ void kernel_assign(const float *points, const unsigned char *valid, const float *centres, int *membership,
                              int *changed, int npoints, int dims, int k)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= npoints)
        return;
    if (!valid[p])
        return;

    int best = -1;
    float min_dist = 3.4e38f;
    for (int c = 0; c < k; c++) {
        float d = squared_distance(points + p, centres + c * dims, dims, npoints);
        if (d < min_dist) {
            min_dist = d;
            best = c;
        }
    }
    if (membership[p] != best) {
        membership[p] = best;
        atomicAdd(changed, 1);
    }
}

__global__ void kernel_accumulate(const float *points, const int *membership, long long *sums, int *counts, int npoints, int dims)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < npoints && membership[p] >= 0) {
        int c = membership[p];
        for (int d = 0; d < dims; d++) // fixed point, so that the order of the additions is of no account
            atomicAdd((unsigned long long *)&sums[c * dims + d], (unsigned long long)(long long)(points[d * npoints + p] * 65536.0f));
        atomicAdd(&counts[c], 1);
    }
}

// One thread a centre. An empty cluster keeps its centre.
__global__ void kernel_update(float *centres, const long long *sums, const int *counts, int dims, int k)
{
    int c = threadIdx.x;
    if (c < k && counts[c] > 0) {
        for (int d = 0; d < dims; d++)
            centres[c * dims + d] = (float)((double)sums[c * dims + d] / 65536.0 / counts[c]);
    }
}
