// SPDX-License-Identifier: Apache-2.0
// Canny edge detector; writes edges.pgm.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include "pgm.h"
#include "canny_kernels.cuh"

static void gpu(cudaError_t e)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "canny: %s\n", cudaGetErrorString(e));
	exit(1);
}

static std::vector<unsigned char> canny_cpu(const Image &img, int low, int high)
{
	const int w = img.width, h = img.height, k[5] = {1, 4, 6, 4, 1};
	std::vector<int> blur(w * h), mag(w * h, 0), dir(w * h, 0);
	std::vector<unsigned char> edge(w * h, NONE);
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			int sum = 0, norm = 0;
			for (int dy = -2; dy <= 2; dy++)
				for (int dx = -2; dx <= 2; dx++) {
					int xx = x + dx, yy = y + dy;
					if (xx < 0 || yy < 0 || xx >= w || yy >= h)
						continue;
					sum += k[dx + 2] * k[dy + 2] * img.data[yy * w + xx];
					norm += k[dx + 2] * k[dy + 2];
				}
			blur[y * w + x] = sum / norm;
		}
	for (int y = 1; y < h - 1; y++)
		for (int x = 1; x < w - 1; x++) {
			auto at = [&](int dx, int dy) { return blur[(y + dy) * w + x + dx]; };
			int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
			int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
			int ax = abs(gx), ay = abs(gy);
			mag[y * w + x] = ax + ay;
			dir[y * w + x] = 5 * ay < 2 * ax ? 0 : 2 * ay > 5 * ax ? 1 : (gx > 0) == (gy > 0) ? 2 : 3;
		}
	const int step[4] = {1, w, w + 1, w - 1};
	std::vector<int> stack;
	for (int i = 0; i < w * h; i++) {
		if (mag[i] <= low)
			continue;
		int s = step[dir[i]];
		if (mag[i] >= mag[i - s] && mag[i] > mag[i + s]) {
			edge[i] = mag[i] > high ? STRONG : WEAK;
			if (edge[i] == STRONG)
				stack.push_back(i);
		}
	}
	while (!stack.empty()) {
		int i = stack.back();
		stack.pop_back();
		for (int dy = -1; dy <= 1; dy++)
			for (int dx = -1; dx <= 1; dx++)
				if (edge[i + dy * w + dx] == WEAK) {
					edge[i + dy * w + dx] = STRONG;
					stack.push_back(i + dy * w + dx);
				}
	}
	for (auto &e : edge)
		if (e == WEAK)
			e = NONE;
	return edge;
}

int main()
{
	Image img = synthetic_scene(190, 140);
	const int w = img.width, h = img.height, n = w * h, low = 60, high = 150;

	unsigned char *d_in, *d_dir, *d_edge;
	int *d_blur, *d_mag, *d_changed;
	gpu(cudaMalloc(&d_in, n));
	gpu(cudaMalloc(&d_dir, n));
	gpu(cudaMalloc(&d_edge, n));
	gpu(cudaMalloc(&d_blur, n * sizeof(int)));
	gpu(cudaMalloc(&d_mag, n * sizeof(int)));
	gpu(cudaMalloc(&d_changed, sizeof(int)));
	gpu(cudaMemcpy(d_in, img.data.data(), n, cudaMemcpyHostToDevice));

	dim3 block(32, 4);
	dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
	gaussian5<<<grid, block>>>(d_in, d_blur, w, h);
	sobel<<<grid, block>>>(d_blur, d_mag, d_dir, w, h);
	suppress<<<grid, block>>>(d_mag, d_dir, d_edge, w, h, low, high);
	int changed;
	do {
		changed = 0;
		gpu(cudaMemcpy(d_changed, &changed, sizeof(int), cudaMemcpyHostToDevice));
		hysteresis<<<grid, block>>>(d_edge, d_changed, w, h);
		gpu(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
	} while (changed);
	drop_weak<<<(n + 255) / 256, 256>>>(d_edge, n);
	gpu(cudaGetLastError());

	Image out = {w, h, std::vector<unsigned char>(n)};
	gpu(cudaMemcpy(out.data.data(), d_edge, n, cudaMemcpyDeviceToHost));
	int count = 0;
	for (unsigned char e : out.data)
		count += e == STRONG;
	bool ok = out.data == canny_cpu(img, low, high);
	printf("edge pixels: %d of %d\n", count, n);
	printf("%s\n", ok ? "identical to the host" : "NOT identical to the host");
	if (!write_pgm("edges.pgm", out))
		fprintf(stderr, "cannot write edges.pgm\n");

	cudaFree(d_in);
	cudaFree(d_dir);
	cudaFree(d_edge);
	cudaFree(d_blur);
	cudaFree(d_mag);
	cudaFree(d_changed);
	return !ok;
}
