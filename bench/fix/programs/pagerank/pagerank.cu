// SPDX-License-Identifier: Apache-2.0
/*
 * PageRank by power iteration.  Each thread pulls from the pages that link to its page.
 * The number of such pages follows a power law, so a few threads have long lists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>

#define N 8192
#define BLOCK 192
#define DAMPING 0.85

static void checkCuda(cudaError_t err, int line)
{
	if (err != cudaSuccess) {
		fprintf(stderr, "CUDA error in line %d: %s\n", line, cudaGetErrorString(err));
		exit(1);
	}
}
#define CK(x) checkCuda(x, __LINE__)

/* rank / out-degree, so that the pull below is one load */
template <typename Real>
__global__ void contributions(const Real *rank, const int *outdeg, Real *contrib, Real *dangling)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= N)
		return;
	if (outdeg[p] == 0) {
		contrib[p] = 0;
		dangling[p] = rank[p];
	} else {
		contrib[p] = rank[p] / outdeg[p];
		dangling[p] = 0;
	}
}

/* one block; the first thread adds up what the others have found */
template <typename Real>
__global__ void sum_dangling(const Real *dangling, Real *total)
{
	__shared__ Real part[BLOCK];
	Real s = 0;
	for (int i = threadIdx.x; i < N; i += BLOCK)
		s += dangling[i];
	part[threadIdx.x] = s;
	__syncthreads();
	if (threadIdx.x == 0) {
		Real all = 0;
		for (int i = 0; i < BLOCK; i++)
			all += part[i];
		*total = all;
	}
}

template <typename Real>
__global__ void pull(const int *row, const int *src, const Real *contrib, const Real *dangling, Real *next)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (p < N) {
		Real sum = 0;
		for (int e = row[p]; e < row[p + 1]; e++)
			sum += contrib[src[e]];
		next[p] = (Real)(1.0 - DAMPING) / N + (Real)DAMPING * (sum + *dangling / N);
	}
}

static unsigned int seed = 12345;
static unsigned int rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

int main(void)
{
	std::vector<int> row(N + 1), src, outdeg(N, 0);
	for (int p = 0; p < N; p++) {
		row[p] = (int)src.size();
		/* in-degree ~ 1/u, cut off at 300; some pages are linked by nobody */
		double u = (rnd() % 1000 + 1) / 1000.0;
		int deg = std::min(300, (int)(1.5 / u) - 1);
		for (int k = 0; k < deg; k++) {
			int q = rnd() % N;
			if (q % 10 == 3)
				continue; /* these pages have no links at all */
			src.push_back(q);
			outdeg[q]++;
		}
	}
	row[N] = (int)src.size();

	int *d_row, *d_src, *d_outdeg;
	float *d_rank, *d_next, *d_contrib, *d_dangling, *d_total;
	CK(cudaMalloc(&d_row, (N + 1) * sizeof(int)));
	CK(cudaMalloc(&d_src, src.size() * sizeof(int)));
	CK(cudaMalloc(&d_outdeg, N * sizeof(int)));
	CK(cudaMalloc(&d_rank, N * sizeof(float)));
	CK(cudaMalloc(&d_next, N * sizeof(float)));
	CK(cudaMalloc(&d_contrib, N * sizeof(float)));
	CK(cudaMalloc(&d_dangling, N * sizeof(float)));
	CK(cudaMalloc(&d_total, sizeof(float)));
	CK(cudaMemcpy(d_row, row.data(), (N + 1) * sizeof(int), cudaMemcpyHostToDevice));
	CK(cudaMemcpy(d_src, src.data(), src.size() * sizeof(int), cudaMemcpyHostToDevice));
	CK(cudaMemcpy(d_outdeg, outdeg.data(), N * sizeof(int), cudaMemcpyHostToDevice));
	std::vector<float> rank(N, 1.0f / N);
	CK(cudaMemcpy(d_rank, rank.data(), N * sizeof(float), cudaMemcpyHostToDevice));

	const int iterations = 20;
	const int grid = (N + BLOCK - 1) / BLOCK;
	for (int it = 0; it < iterations; it++) {
		contributions<float><<<grid, BLOCK>>>(d_rank, d_outdeg, d_contrib, d_dangling);
		sum_dangling<float><<<1, BLOCK>>>(d_dangling, d_total);
		pull<float><<<grid, BLOCK>>>(d_row, d_src, d_contrib, d_total, d_next);
		std::swap(d_rank, d_next);
	}
	CK(cudaGetLastError());
	CK(cudaMemcpy(rank.data(), d_rank, N * sizeof(float), cudaMemcpyDeviceToHost));

	/* the same in double on the host */
	std::vector<double> r(N, 1.0 / N), c(N), nx(N);
	for (int it = 0; it < iterations; it++) {
		double dang = 0;
		for (int p = 0; p < N; p++) {
			c[p] = outdeg[p] ? r[p] / outdeg[p] : 0;
			if (!outdeg[p])
				dang += r[p];
		}
		for (int p = 0; p < N; p++) {
			double s = 0;
			for (int e = row[p]; e < row[p + 1]; e++)
				s += c[src[e]];
			nx[p] = (1.0 - DAMPING) / N + DAMPING * (s + dang / N);
		}
		r.swap(nx);
	}
	double worst = 0, sum = 0;
	int best = 0;
	for (int p = 0; p < N; p++) {
		worst = std::max(worst, fabs(rank[p] - r[p]) / r[p]);
		sum += rank[p];
		if (rank[p] > rank[best])
			best = p;
	}
	printf("%d pages, %zu links, rank on the device at %p\n", N, src.size(), (void *)d_rank);
	printf("sum of ranks %.4f, first page %d with %.6f\n", sum, best, rank[best]);
	printf("%s\n", worst < 1e-3 ? "ok" : "WRONG");

	cudaFree(d_row);
	cudaFree(d_src);
	cudaFree(d_outdeg);
	cudaFree(d_rank);
	cudaFree(d_next);
	cudaFree(d_contrib);
	cudaFree(d_dangling);
	cudaFree(d_total);
	return worst < 1e-3 ? 0 : 1;
}
