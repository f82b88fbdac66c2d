// SPDX-License-Identifier: Apache-2.0
// Particle filter: a robot in a corridor measures the distance to the next door ahead.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <cuda_runtime.h>

#define NPARTICLES 1200
#define STEPS 10
#define DOORS 7
#define LENGTH 100.0f
#define BLOCK 128

__constant__ float c_doors[DOORS];

static long long get_time_us()
{
  struct timeval tv;
  gettimeofday(&tv, NULL);
  return tv.tv_sec * 1000000LL + tv.tv_usec;
}

static void check_error(cudaError e)
{
  if (e != cudaSuccess) {
    printf("\nCUDA error: %s\n", cudaGetErrorString(e));
    exit(1);
  }
}

__device__ float uniform(unsigned int *seed)
{
  *seed = *seed * 1103515245u + 12345u;
  return (float)((*seed >> 8) & 0xffff) / 65536.0f;
}

// sum of uniforms instead of Box-Muller: cheap and good enough
__device__ float gauss(unsigned int *seed)
{
  float s = 0.0f;
  for (int i = 0; i < 6; i++)
    s += uniform(seed);
  return (s - 3.0f) * 1.41421356f;
}

__host__ __device__ float range_to_door(const float *doors, float x)
{
  for (int d = 0; d < DOORS; d++)
    if (doors[d] > x)
      return doors[d] - x;
  return LENGTH - x;
}

__global__ void init(float *x, unsigned int *seeds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NPARTICLES)
    return;
  unsigned int s = 1747u * (i + 1);
  for (int k = 0; k < 3; k++)
    uniform(&s);
  x[i] = uniform(&s) * LENGTH;
  seeds[i] = s;
}

__global__ void move_and_weigh(float *x, float *weight, unsigned int *seeds, float motion, float measured)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NPARTICLES)
    return;
  unsigned int s = seeds[i];
  float p = x[i] + motion + 0.4f * gauss(&s);
  seeds[i] = s;
  x[i] = p;
  if (p < 0.0f || p > LENGTH) {
    weight[i] = 0.0f; // left the corridor
    return;
  }
  float error = range_to_door(c_doors, p) - measured;
  weight[i] = expf(-0.5f * error * error / (1.5f * 1.5f));
}

// One block. The sums are made by one thread, so that they do not depend on the order.
__global__ void normalize(float *weight, float *cdf, float *sum_out)
{
  __shared__ float total;
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < NPARTICLES; i++)
      sum += weight[i];
    total = sum;
    *sum_out = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < NPARTICLES; i += blockDim.x)
    weight[i] = total > 0.0f ? weight[i] / total : 1.0f / NPARTICLES;
  __syncthreads();
  if (threadIdx.x == 0) {
    cdf[0] = weight[0];
    for (int i = 1; i < NPARTICLES; i++)
      cdf[i] = cdf[i - 1] + weight[i];
  }
}

// Systematic resampling: each particle looks for its place from the start.
__global__ void resample(const float *x, const float *cdf, float *next, float offset)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < NPARTICLES) {
    float u = (i + offset) / NPARTICLES;
    int index = -1;
    for (int k = 0; k < NPARTICLES; k++) {
      if (cdf[k] >= u) {
        index = k;
        break;
      }
    }
    if (index == -1)
      index = NPARTICLES - 1;
    next[i] = x[index];
  }
}

int main()
{
  const float doors[DOORS] = {9.0f, 17.5f, 38.0f, 44.0f, 61.0f, 83.0f, 94.0f};
  check_error(cudaMemcpyToSymbol(c_doors, doors, sizeof(doors)));
  float *x, *next, *weight, *cdf, *sum;
  unsigned int *seeds;
  check_error(cudaMalloc((void **)&x, sizeof(float) * NPARTICLES));
  check_error(cudaMalloc((void **)&next, sizeof(float) * NPARTICLES));
  check_error(cudaMalloc((void **)&weight, sizeof(float) * NPARTICLES));
  check_error(cudaMalloc((void **)&cdf, sizeof(float) * NPARTICLES));
  check_error(cudaMalloc((void **)&sum, sizeof(float)));
  check_error(cudaMalloc((void **)&seeds, sizeof(unsigned int) * NPARTICLES));

  float *h = (float *)malloc(sizeof(float) * NPARTICLES);
  int blocks = (NPARTICLES + BLOCK - 1) / BLOCK;
  float truth = 4.0f;
  double estimate = 0;
  long long start = get_time_us();
  init<<<blocks, BLOCK>>>(x, seeds);
  for (int k = 0; k < STEPS; k++) {
    float motion = 3.0f + (k % 3);
    truth += motion;
    move_and_weigh<<<blocks, BLOCK>>>(x, weight, seeds, motion, range_to_door(doors, truth));
    normalize<<<1, BLOCK>>>(weight, cdf, sum);
    resample<<<blocks, BLOCK>>>(x, cdf, next, 0.5f);
    float *t = x;
    x = next;
    next = t;
    check_error(cudaGetLastError());
  }
  check_error(cudaMemcpy(h, x, sizeof(float) * NPARTICLES, cudaMemcpyDeviceToHost));
  long long stop = get_time_us();
  for (int i = 0; i < NPARTICLES; i++)
    estimate += h[i] / NPARTICLES;

  printf("true position %.2f, estimate %.1f\n", truth, estimate);
  printf("TIME TO RUN %d STEPS: %f seconds\n", STEPS, (stop - start) / 1e6);
  int ok = fabs(estimate - truth) < 2.0;
  printf("%s\n", ok ? "robot found" : "ROBOT LOST");
  free(h);
  cudaFree(x);
  cudaFree(next);
  cudaFree(weight);
  cudaFree(cdf);
  cudaFree(sum);
  cudaFree(seeds);
  return !ok;
}
