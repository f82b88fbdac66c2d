// SPDX-License-Identifier: Apache-2.0
// American and European options on a binomial tree, one block an option. The number of steps depends on the maturity.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MAX_STEPS 192
#define THREADS 96
#define OPTIONS 60

typedef struct {
	float S, X, T, R, V;
	int call, american, steps;
} OptionData;

#define CUDA_TRY(x) if (cudaSuccess != (x)) { fprintf(stderr, "FAILED: %s\n", #x); exit(1); }

__device__ inline float payoff(const OptionData &o, float s)
{
	if (o.call)
		return s > o.X ? s - o.X : 0.0f;
	return s < o.X ? o.X - s : 0.0f;
}

__global__ void binomialKernel(const OptionData *options, float *value)
{
	__shared__ float v[MAX_STEPS + 1];
	__shared__ float next[MAX_STEPS + 1];
	OptionData o = options[blockIdx.x];
	float dt = o.T / o.steps;
	float u = expf(o.V * sqrtf(dt)), d = 1.0f / u;
	float disc = expf(-o.R * dt);
	float pu = (expf(o.R * dt) - d) / (u - d);

	for (int i = threadIdx.x; i <= o.steps; i += blockDim.x)
		v[i] = payoff(o, o.S * expf(o.V * sqrtf(dt) * (2 * i - o.steps)));
	__syncthreads();

	for (int t = o.steps - 1; t >= 0; t--) {
		for (int i = threadIdx.x; i <= t; i += blockDim.x) {
			float hold = disc * (pu * v[i + 1] + (1.0f - pu) * v[i]);
			if (o.american) {
				float now = payoff(o, o.S * expf(o.V * sqrtf(dt) * (2 * i - t)));
				if (now > hold)
					hold = now;
			}
			next[i] = hold;
		}
		__syncthreads();
		for (int i = threadIdx.x; i <= t; i += blockDim.x)
			v[i] = next[i];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		value[blockIdx.x] = v[0];
}

static double binomialCPU(const OptionData &o)
{
	std::vector<double> v(o.steps + 1);
	double dt = (double)o.T / o.steps, u = exp(o.V * sqrt(dt)), d = 1 / u, disc = exp(-o.R * dt);
	double pu = (exp(o.R * dt) - d) / (u - d);
	auto pay = [&](double s) { return o.call ? std::max(s - o.X, 0.0) : std::max(o.X - s, 0.0); };
	for (int i = 0; i <= o.steps; i++)
		v[i] = pay(o.S * exp(o.V * sqrt(dt) * (2 * i - o.steps)));
	for (int t = o.steps - 1; t >= 0; t--)
		for (int i = 0; i <= t; i++) {
			v[i] = disc * (pu * v[i + 1] + (1 - pu) * v[i]);
			if (o.american)
				v[i] = std::max(v[i], pay(o.S * exp(o.V * sqrt(dt) * (2 * i - t))));
		}
	return v[0];
}

int main()
{
	std::vector<OptionData> opt(OPTIONS);
	srand(123);
	for (int i = 0; i < OPTIONS; i++) {
		opt[i].S = 80.0f + rand() % 40;
		opt[i].X = 90.0f + rand() % 20;
		opt[i].T = 0.25f + (rand() % 16) * 0.25f;
		opt[i].R = 0.05f;
		opt[i].V = 0.2f + (rand() % 10) * 0.02f;
		opt[i].call = rand() % 2;
		opt[i].american = rand() % 3 != 0;
		opt[i].steps = std::min(MAX_STEPS, 32 + (int)(opt[i].T * 40));
	}
	OptionData *dOpt;
	float *dValue;
	CUDA_TRY(cudaMalloc(&dOpt, OPTIONS * sizeof(OptionData)));
	CUDA_TRY(cudaMalloc(&dValue, OPTIONS * sizeof(float)));
	CUDA_TRY(cudaMemcpy(dOpt, opt.data(), OPTIONS * sizeof(OptionData), cudaMemcpyHostToDevice));

	cudaEvent_t a, b;
	CUDA_TRY(cudaEventCreate(&a));
	CUDA_TRY(cudaEventCreate(&b));
	CUDA_TRY(cudaEventRecord(a));
	binomialKernel<<<OPTIONS, THREADS>>>(dOpt, dValue);
	CUDA_TRY(cudaEventRecord(b));
	CUDA_TRY(cudaEventSynchronize(b));
	float ms = 0;
	CUDA_TRY(cudaEventElapsedTime(&ms, a, b));

	std::vector<float> value(OPTIONS);
	CUDA_TRY(cudaMemcpy(value.data(), dValue, OPTIONS * sizeof(float), cudaMemcpyDeviceToHost));
	double worst = 0, sum = 0;
	for (int i = 0; i < OPTIONS; i++) {
		double want = binomialCPU(opt[i]);
		worst = std::max(worst, fabs(want - value[i]) / (1 + want));
		sum += value[i];
	}
	printf("%d options, sum of prices %.1f\n", OPTIONS, sum);
	printf("time %.3f ms, %.1f options/s\n", ms, OPTIONS / ms * 1e3);
	printf("%s\n", worst < 2e-3 ? "Test passed" : "Test failed!");
	cudaFree(dOpt);
	cudaFree(dValue);
	return worst < 2e-3 ? 0 : 1;
}
