// SPDX-License-Identifier: Apache-2.0
#ifndef FRACTAL_H
#define FRACTAL_H

struct View {
    double x0, y0, step;
    int width, height, max_iter;
};

template <bool JULIA>
__host__ __device__ int escape_time(double px, double py, int max_iter)
{
    double x = JULIA ? px : 0.0, y = JULIA ? py : 0.0;
    const double cx = JULIA ? -0.8 : px, cy = JULIA ? 0.156 : py;
    int n = 0;
    while (n < max_iter && x * x + y * y <= 4.0) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        n++;
    }
    return n;
}

template <bool JULIA>
__global__ void fractal(View v, int *iterations)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < v.width && j < v.height)
        iterations[j * v.width + i] = escape_time<JULIA>(v.x0 + i * v.step, v.y0 + j * v.step, v.max_iter);
}

#endif
