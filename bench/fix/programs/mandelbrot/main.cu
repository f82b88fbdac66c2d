// SPDX-License-Identifier: Apache-2.0
// usage: mandelbrot [width height [max_iter [out.ppm]]]
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "fractal.h"

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
static void check(cudaError_t result, const char *func, const char *file, int line)
{
    if (result) {
        fprintf(stderr, "CUDA error = %d at %s:%d '%s'\n", (int)result, file, line, func);
        exit(99);
    }
}

static void save(const char *path, const std::vector<int> &it, const View &v)
{
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        return;
    }
    fprintf(f, "P6\n%d %d\n255\n", v.width, v.height);
    for (int n : it) {
        unsigned char c[3] = {0, 0, 0};
        if (n < v.max_iter) {
            c[0] = (unsigned char)(n * 9);
            c[1] = (unsigned char)(n * 5);
            c[2] = (unsigned char)(255 - n);
        }
        fwrite(c, 1, 3, f);
    }
    fclose(f);
}

template <bool JULIA>
static bool render(const char *name, const View &v, std::vector<int> &it)
{
    int *d;
    checkCudaErrors(cudaMalloc(&d, v.width * v.height * sizeof(int)));
    dim3 block(16, 16);
    dim3 grid((v.width + block.x - 1) / block.x, (v.height + block.y - 1) / block.y);
    fractal<JULIA><<<grid, block>>>(v, d);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(it.data(), d, it.size() * sizeof(int), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(d));

    // fused operations may move a point near the border by an iteration
    int different = 0, inside = 0;
    for (int j = 0; j < v.height; j++)
        for (int i = 0; i < v.width; i++) {
            int n = it[j * v.width + i];
            inside += n == v.max_iter;
            different += n != escape_time<JULIA>(v.x0 + i * v.step, v.y0 + j * v.step, v.max_iter);
        }
    bool ok = different < v.width * v.height / 100 + 1;
    printf("%s: %d of %d points inside, %s\n", name, inside, v.width * v.height, ok ? "verified" : "WRONG");
    return ok;
}

int main(int argc, char **argv)
{
    int width = 160, height = 120, max_iter = 200;
    if (argc > 2) {
        width = atoi(argv[1]);
        height = atoi(argv[2]);
    }
    if (argc > 3)
        max_iter = atoi(argv[3]);
    if (width < 1 || height < 1 || max_iter < 1)
        return 1;
    std::vector<int> it(width * height);
    View m = {-2.2, -1.2, 3.0 / width, width, height, max_iter};
    View j = {-1.6, -1.1, 3.2 / width, width, height, max_iter};
    bool ok = render<true>("julia", j, it);
    ok = render<false>("mandelbrot", m, it) && ok;
    if (argc > 4)
        save(argv[4], it, m);
    return ok ? 0 : 1;
}
