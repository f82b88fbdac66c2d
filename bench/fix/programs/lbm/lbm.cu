// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann flow through a channel with round obstacles.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include "lbm_kernels.cuh"

#define GPU_CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
	printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

int main()
{
	const int n = NX * NY, steps = 24;
	const real tau = 0.7f, force = 2e-4f;
	std::vector<unsigned char> solid(n, 0);
	for (int y = 0; y < NY; y++)
		for (int x = 0; x < NX; x++) {
			bool in = false;
			in |= (x - 20) * (x - 20) + (y - 18) * (y - 18) < 64;
			in |= (x - 45) * (x - 45) + (y - 33) * (y - 33) < 49;
			in |= (x - 65) * (x - 65) + (y - 12) * (y - 12) < 25;
			in |= y == 0 || y == NY - 1;
			solid[y * NX + x] = in;
		}

	real *f, *g;
	unsigned char *d_solid;
	GPU_CHECK(cudaMalloc(&f, Q * n * sizeof(real)));
	GPU_CHECK(cudaMalloc(&g, Q * n * sizeof(real)));
	GPU_CHECK(cudaMalloc(&d_solid, n));
	GPU_CHECK(cudaMemcpy(d_solid, solid.data(), n, cudaMemcpyHostToDevice));

	dim3 block(16, 16), grid((NX + 15) / 16, (NY + 15) / 16);
	lbm_init<<<grid, block>>>(f);
	lbm_init<<<grid, block>>>(g);
	GPU_CHECK(cudaDeviceSynchronize());
	auto t0 = std::chrono::system_clock::now();
	for (int s = 0; s < steps; s++) {
		lbm_step<<<grid, block>>>(f, g, d_solid, tau, force);
		std::swap(f, g);
	}
	GPU_CHECK(cudaDeviceSynchronize());
	auto t1 = std::chrono::system_clock::now();
	std::vector<real> result(Q * n);
	GPU_CHECK(cudaMemcpy(result.data(), f, Q * n * sizeof(real), cudaMemcpyDeviceToHost));

	std::vector<real> a(Q * n), b(Q * n);
	for (int q = 0; q < Q; q++)
		for (int i = 0; i < n; i++)
			a[q * n + i] = b[q * n + i] = weight(q);
	for (int s = 0; s < steps; s++) {
		for (int y = 0; y < NY; y++)
			for (int x = 0; x < NX; x++)
				if (!solid[y * NX + x])
					lbm_node(a.data(), b.data(), solid.data(), x, y, tau, force);
		a.swap(b);
	}
	double worst = 0, flux = 0;
	for (int i = 0; i < Q * n; i++)
		worst = fmax(worst, fabs(result[i] - a[i]));
	for (int i = 0; i < n; i++)
		if (!solid[i])
			flux += result[n + i] + result[5 * n + i] + result[8 * n + i] - result[3 * n + i] - result[6 * n + i] - result[7 * n + i];

	std::time_t when = std::chrono::system_clock::to_time_t(t1);
	double seconds = std::chrono::duration<double>(t1 - t0).count();
	printf("lattice %d x %d, %d steps, flux %.3f\n", NX, NY, steps, flux);
	printf("finished at time %s", std::ctime(&when));
	printf("%.4f s, %.2f MLUPS, 1 step = %.1f us\n", seconds, n * steps / seconds * 1e-6, seconds / steps * 1e6);
	printf("%s\n", worst < 1e-5 ? "PASS" : "FAIL");
	cudaFree(f);
	cudaFree(g);
	cudaFree(d_solid);
	return worst < 1e-5 ? 0 : 1;
}
