// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "d2q9.h"

__global__ void lbm_init(real *f)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= NX || y >= NY)
		return;
	for (int q = 0; q < Q; q++)
		f[q * NX * NY + y * NX + x] = weight(q);
}

__global__ void lbm_step(const real *f, real *g, const unsigned char *solid, real tau, real force)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= NX || y >= NY)
		return;
	if (solid[y * NX + x])
		return;
	lbm_node(f, g, solid, x, y, tau, force);
}
