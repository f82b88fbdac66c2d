// SPDX-License-Identifier: Apache-2.0
// Stages of the Canny detector in integers.
#pragma once

enum { NONE = 0, WEAK = 128, STRONG = 255 };

__global__ void gaussian5(const unsigned char *in, int *out, int w, int h)
{
	const int k[5] = {1, 4, 6, 4, 1};
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	int sum = 0, norm = 0;
	for (int dy = -2; dy <= 2; dy++)
		for (int dx = -2; dx <= 2; dx++) {
			if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) {
				int c = k[dx + 2] * k[dy + 2];
				sum += c * in[(y + dy) * w + x + dx];
				norm += c;
			}
		}
	out[y * w + x] = sum / norm;
}

// magnitude |gx| + |gy| and one of four directions; no gradient at the border
__global__ void sobel(const int *in, int *mag, unsigned char *dir, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
		mag[y * w + x] = 0;
		dir[y * w + x] = 0;
	} else {
		const int *p = in + y * w + x;
		int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
		int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
		int ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
		mag[y * w + x] = ax + ay;
		if (5 * ay < 2 * ax)
			dir[y * w + x] = 0; // edge runs down
		else if (2 * ay > 5 * ax)
			dir[y * w + x] = 1; // edge runs across
		else if ((gx > 0) == (gy > 0))
			dir[y * w + x] = 2;
		else
			dir[y * w + x] = 3;
	}
}

__device__ bool is_peak(const int *mag, int i, int w, unsigned char dir)
{
	int a, b;
	switch (dir) {
	case 0:
		a = mag[i - 1];
		b = mag[i + 1];
		break;
	case 1:
		a = mag[i - w];
		b = mag[i + w];
		break;
	case 2:
		a = mag[i - w - 1];
		b = mag[i + w + 1];
		break;
	default:
		a = mag[i - w + 1];
		b = mag[i + w - 1];
	}
	return mag[i] >= a && mag[i] > b;
}

__global__ void suppress(const int *mag, const unsigned char *dir, unsigned char *edge, int w, int h, int low, int high)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	int i = y * w + x;
	edge[i] = NONE;
	if (mag[i] <= low)
		return;
	if (is_peak(mag, i, w, dir[i]))
		edge[i] = mag[i] > high ? STRONG : WEAK;
}

// Weak pixels next to a strong one become strong; again and again until nothing changes.
__global__ void hysteresis(unsigned char *edge, int *changed, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
		return;
	int i = y * w + x;
	if (edge[i] != WEAK)
		return;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (edge[i + dy * w + dx] == STRONG) {
				edge[i] = STRONG;
				*changed = 1;
				return;
			}
}

__global__ void drop_weak(unsigned char *edge, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && edge[i] == WEAK)
		edge[i] = NONE;
}
