// SPDX-License-Identifier: Apache-2.0
#pragma once

#define NX 80
#define NY 50
#define Q 9

// direction 0 rests, 1-4 east north west south, 5-8 diagonals
#define DIR_X {0, 1, 0, -1, 0, 1, -1, -1, 1}
#define DIR_Y {0, 0, 1, 0, -1, 1, 1, -1, -1}
#define OPPOSITE {0, 3, 4, 1, 2, 7, 8, 5, 6}

typedef float real;

__host__ __device__ inline real weight(int q)
{
	if (q == 0)
		return (real)4 / 9;
	return q < 5 ? (real)1 / 9 : (real)1 / 36;
}

__host__ __device__ inline real equilibrium(int q, real rho, real ux, real uy)
{
	const int cx[Q] = DIR_X, cy[Q] = DIR_Y;
	real cu = cx[q] * ux + cy[q] * uy;
	return weight(q) * rho * (1 + 3 * cu + (real)4.5 * cu * cu - (real)1.5 * (ux * ux + uy * uy));
}

/* One node: pull, bounce off solid neighbours, collide. f and g: f[q * NX * NY + node]. Periodic in x. */
__host__ __device__ inline void lbm_node(const real *f, real *g, const unsigned char *solid, int x, int y, real tau, real force)
{
	const int cx[Q] = DIR_X, cy[Q] = DIR_Y, opp[Q] = OPPOSITE;
	const int n = NX * NY, here = y * NX + x;
	real in[Q], rho = 0, ux = 0, uy = 0;
	for (int q = 0; q < Q; q++) {
		int sx = x - cx[q], sy = y - cy[q];
		if (sx < 0)
			sx += NX;
		else if (sx >= NX)
			sx -= NX;
		int from = sy * NX + sx;
		if (sy < 0 || sy >= NY || solid[from])
			in[q] = f[opp[q] * n + here];
		else
			in[q] = f[q * n + from];
		rho += in[q];
		ux += cx[q] * in[q];
		uy += cy[q] * in[q];
	}
	ux = ux / rho + force * tau;
	uy = uy / rho;
	for (int q = 0; q < Q; q++)
		g[q * n + here] = in[q] - (in[q] - equilibrium(q, rho, ux, uy)) / tau;
}
