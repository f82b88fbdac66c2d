// SPDX-License-Identifier: Apache-2.0
// COVERS: dynamic parallelism, dynamic parallelism: tail launches, -rdc
// FLAGS: -rdc=true
// CUDA 12's form: kernels launch kernels, a tail launch goes on behind them; quicksort by launches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                                   \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(cudaGetLastError()));                          \
    exit(1);                                                                                       \
  }

__device__ void selectionSort(int* v, int left, int right) {
  for (int i = left; i <= right; ++i) {
    int at = i;
    for (int j = i + 1; j <= right; ++j)
      at = v[j] < v[at] ? j : at;
    int t = v[at];
    v[at] = v[i];
    v[i] = t;
  }
}

__global__ void quicksort(int* v, int left, int right, int depth) {
  if (depth >= 12 || right - left < 16) {
    selectionSort(v, left, right);
    return;
  }
  int pivot = v[(left + right) / 2], l = left, r = right;
  while (l <= r) {
    while (v[l] < pivot)
      ++l;
    while (v[r] > pivot)
      --r;
    if (l <= r) {
      int t = v[l];
      v[l++] = v[r];
      v[r--] = t;
    }
  }
  if (left < r) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(v, left, r, depth + 1);
    cudaStreamDestroy(s);
  }
  if (l < right)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(v, l, right, depth + 1);
}

__global__ void child(int* v, int block) {
  v[block * blockDim.x + threadIdx.x] += block * 100;
}
__global__ void after(int* v, int n, int* sum) {
  for (int i = 0; i < n; ++i)
    *sum += v[i];
}
// The tail launch begins when this grid and its children are done.
__global__ void parent(int* v, int n, int* sum) {
  v[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    child<<<1, 32>>>(v, blockIdx.x);
  if (threadIdx.x == 0 && blockIdx.x == 0)
    after<<<1, 1, 0, cudaStreamTailLaunch>>>(v, n, sum);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300, blocks = 4;
  std::vector<int> h(n), got(n);
  for (int i = 0; i < n; ++i)
    h[i] = (int)((unsigned)i * 2654435761u >> 20);
  int *v, *sum, total = -1;
  CHECK(cudaMalloc(&v, std::max(n, blocks * 32) * sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  CHECK(cudaMemcpy(v, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  quicksort<<<1, 1>>>(v, 0, n - 1, 0);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(got.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::sort(h.begin(), h.end());
  bool ok = got == h;
  parent<<<blocks, 32>>>(v, blocks * 32, sum);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost));
  int want = blocks * 31 * 16 + 32 * 100 * (blocks * (blocks - 1) / 2);
  ok = ok && total == want;
  printf("sum %d, expected %d\n", total, want);
  cudaFree(v), cudaFree(sum);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
