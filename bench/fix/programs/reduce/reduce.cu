// SPDX-License-Identifier: Apache-2.0
/* Lab 3: parallel reduction, two ways to share the work. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <limits.h>
#include <cuda_runtime.h>
#include "reduce_kernels.h"

#define BLOCK 256

static void ok(cudaError_t e)
{
  if (e != cudaSuccess) {
    puts(cudaGetErrorString(e));
    exit(1);
  }
}

typedef void (*Kernel)(const int *, int *, int, int);

/* Reduces until one number is left. */
static int run(Kernel kernel, const int *d_in, int *d_a, int *d_b, int n, int neutral, float *ms)
{
  cudaEvent_t t0, t1;
  ok(cudaEventCreate(&t0));
  ok(cudaEventCreate(&t1));
  ok(cudaEventRecord(t0));
  const int *in = d_in;
  int *out = d_a;
  while (n > 1) {
    int blocks = (n + BLOCK - 1) / BLOCK;
    kernel<<<blocks, BLOCK>>>(in, out, n, neutral);
    ok(cudaGetLastError());
    n = blocks;
    in = out;
    out = out == d_a ? d_b : d_a;
  }
  ok(cudaEventRecord(t1));
  ok(cudaEventSynchronize(t1));
  ok(cudaEventElapsedTime(ms, t0, t1));
  int result;
  ok(cudaMemcpy(&result, in, sizeof(int), cudaMemcpyDeviceToHost));
  ok(cudaEventDestroy(t0));
  ok(cudaEventDestroy(t1));
  return result;
}

int main(void)
{
  const int n = 100000;
  int *h = (int *)malloc(n * sizeof(int));
  int sum = 0, max = INT_MIN, errors = 0;
  srand(1);
  for (int i = 0; i < n; i++) {
    h[i] = rand() % 2001 - 1000;
    sum += h[i];
    if (h[i] > max)
      max = h[i];
  }

  int *d_in, *d_a, *d_b, blocks = (n + BLOCK - 1) / BLOCK;
  ok(cudaMalloc(&d_in, n * sizeof(int)));
  ok(cudaMalloc(&d_a, blocks * sizeof(int)));
  ok(cudaMalloc(&d_b, blocks * sizeof(int)));
  ok(cudaMemcpy(d_in, h, n * sizeof(int), cudaMemcpyHostToDevice));

  time_t now = time(NULL);
  printf("--- reduction of %d integers ---\n", n);
  printf("time of the run: %s", ctime(&now));
  struct {
    const char *name;
    Kernel kernel;
    int neutral, expected;
  } tests[4] = {{"sum, interleaved", reduce_interleaved<int, Sum>, 0, sum},
                {"sum, sequential", reduce_sequential<int, Sum>, 0, sum},
                {"max, interleaved", reduce_interleaved<int, Max>, INT_MIN, max},
                {"max, sequential", reduce_sequential<int, Max>, INT_MIN, max}};
  for (int k = 0; k < 4; k++) {
    float ms = 0;
    int r = run(tests[k].kernel, d_in, d_a, d_b, n, tests[k].neutral, &ms);
    printf("%-18s %8d %s\n", tests[k].name, r, r == tests[k].expected ? "correct" : "WRONG");
    printf("%-18s %8.4f ms %8.3f GB/s\n", "", ms, n * sizeof(int) / ms * 1e-6);
    errors += r != tests[k].expected;
  }
  cudaFree(d_in);
  cudaFree(d_a);
  cudaFree(d_b);
  free(h);
  return errors;
}
