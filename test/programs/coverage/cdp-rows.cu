// SPDX-License-Identifier: Apache-2.0
// COVERS: dynamic parallelism, dynamic parallelism: tail launches, dynamic parallelism: errors and streams, -rdc
// FLAGS: -rdc=true
// A loop over rows of very different lengths: a thread adds a short row itself and launches a kernel for a long one. Then a kernel that
// goes on by launching itself behind itself, forty times; arguments of all alignments; and launches that CUDA refuses.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CHECK(x)                                                                                   \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(cudaGetLastError()));                          \
    exit(1);                                                                                       \
  }

extern __shared__ double parts[];

__global__ void longRow(const double* values, int count, double* sum) {
  double own = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    own += values[i];
  parts[threadIdx.x] = own;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *sum = parts[0];
}

// Launches stand in functions, too.
__device__ void addRow(const double* values, int count, double* sum) {
  if (count > 64) {
    longRow<<<1, 64, 64 * sizeof(double)>>>(values, count, sum);
    return;
  }
  *sum = 0;
  for (int i = 0; i < count; ++i)
    *sum += values[i];
}

__global__ void addRows(const double* values, const int* begin, int rows, double* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    addRow(values + begin[row], begin[row + 1] - begin[row], &sums[row]);
}

__global__ void twice(int* v, int n) {
  if (threadIdx.x < n)
    v[threadIdx.x] = 2 * v[threadIdx.x] % 1000003;
}
// The next step begins when the children of this one are done.
__global__ void steps(int* v, int n, int left) {
  twice<<<1, n>>>(v, n);
  if (left > 1)
    steps<<<1, 1, 0, cudaStreamTailLaunch>>>(v, n, left - 1);
}

struct Triple {
  float x, y, z;
};
__global__ void mixed(char a, double b, Triple c, short d, float4 e, double* out) {
  *out = a + b + c.x + c.y + c.z + d + e.x + e.w;
}
__global__ void passMixed(double* out) {
  mixed<<<1, 1>>>('a', 0.5, Triple{1, 2, 3}, (short)-7, make_float4(10, 0, 0, 20), out);
}

__global__ void refused(int* result) {
  int fine = 0;
  twice<<<0, 32>>>(nullptr, 0); // no blocks
  fine += cudaPeekAtLastError() == cudaErrorInvalidConfiguration;
  fine += cudaGetLastError() == cudaErrorInvalidConfiguration;
  fine += cudaGetLastError() == cudaSuccess;
  twice<<<1, 2048>>>(nullptr, 0); // too many threads
  if (threadIdx.x == 0)
    fine += cudaGetLastError() == cudaErrorInvalidConfiguration;
  cudaStream_t stream;
  fine += cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
  cudaEvent_t event;
  fine += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
  fine += cudaEventRecord(event, stream) == cudaSuccess;
  fine += cudaStreamWaitEvent(stream, event, 0) == cudaSuccess;
  twice<<<1, 1, 0, stream>>>(result + 1, 1);
  fine += cudaEventDestroy(event) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess;
  const char* text = cudaGetErrorString(cudaGetLastError());
  fine += text[0] == 'n' && text[3] == 'e'; // "no error"
  *result = fine;
}

int main(int argc, char** argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 200, n = 32, left = 40;
  std::vector<int> begin(rows + 1, 0), v(n), wantV(n);
  for (int i = 0; i < rows; ++i)
    begin[i + 1] = begin[i] + (i % 17 == 3 ? 300 + i : i % 7);
  std::vector<double> values(begin[rows]), sums(rows);
  for (int i = 0; i < begin[rows]; ++i)
    values[i] = i % 101 - 20;
  double *dValues, *dSums, total = 0;
  int *dBegin, *dV, *dResult, result[2] = {0, 21};
  CHECK(cudaMalloc(&dValues, values.size() * sizeof(double)));
  CHECK(cudaMalloc(&dSums, rows * sizeof(double)));
  CHECK(cudaMalloc(&dBegin, begin.size() * sizeof(int)));
  CHECK(cudaMalloc(&dV, n * sizeof(int)));
  CHECK(cudaMalloc(&dResult, sizeof(result)));
  CHECK(cudaMemcpy(dValues, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  addRows<<<(rows + 63) / 64, 64>>>(dValues, dBegin, rows, dSums);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sums.data(), dSums, rows * sizeof(double), cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < rows; ++i)
    ok = ok && sums[i] == std::accumulate(values.begin() + begin[i], values.begin() + begin[i + 1], 0.0);
  printf("rows: %s\n", ok ? "fine" : "wrong");

  std::iota(v.begin(), v.end(), 1);
  for (int i = 0; i < n; ++i) {
    wantV[i] = v[i];
    for (int step = 0; step < left; ++step)
      wantV[i] = 2 * wantV[i] % 1000003;
  }
  CHECK(cudaMemcpy(dV, v.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  steps<<<1, 1>>>(dV, n, left);
  CHECK(cudaMemcpy(v.data(), dV, n * sizeof(int), cudaMemcpyDeviceToHost));
  ok = ok && v == wantV;
  printf("steps: %s\n", v == wantV ? "fine" : "wrong");

  passMixed<<<1, 1>>>(dSums);
  CHECK(cudaMemcpy(&total, dSums, sizeof(double), cudaMemcpyDeviceToHost));
  ok = ok && total == 'a' + 0.5 + 6 - 7 + 30;
  printf("arguments: %g\n", total);

  CHECK(cudaMemcpy(dResult, result, sizeof(result), cudaMemcpyHostToDevice));
  refused<<<1, 1>>>(dResult);
  CHECK(cudaMemcpy(result, dResult, sizeof(result), cudaMemcpyDeviceToHost));
  ok = ok && result[0] == 10 && result[1] == 42;
  printf("errors and streams: %d of 10, %d\n", result[0], result[1]);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
