// SPDX-License-Identifier: Apache-2.0
// COVERS: streams, events, cudaStreamWaitEvent, pinned memory, cudaMemcpyAsync
// A pipeline over slices: copy in, compute, copy out in streams, with events between them and
// around.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  {                                                                                                \
    const cudaError_t error = call;                                                                \
    if (error != cudaSuccess) {                                                                    \
      printf("Error: %s:%d, %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(error));           \
      exit(1);                                                                                     \
    }                                                                                              \
  }

__global__ void scale(float* v, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= f;
}

__global__ void total(const float* v, int n, float* out) {
  __shared__ float s[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += v[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = s[0];
}

int main(int argc, char** argv) {
  int slices = argc > 1 ? atoi(argv[1]) : 4, each = 1024, n = slices * each;
  float *h, *d, *sum, result = 0;
  CHECK(cudaMallocHost(&h, n * sizeof(float)));
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMalloc(&sum, sizeof(float)));
  for (int i = 0; i < n; ++i)
    h[i] = (float)(i % 10);
  cudaStream_t* streams = new cudaStream_t[slices];
  cudaEvent_t* done = new cudaEvent_t[slices];
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  cudaStream_t last;
  CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
  for (int s = 0; s < slices; ++s) {
    CHECK(cudaStreamCreate(&streams[s]));
    CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
    float* part = d + s * each;
    CHECK(cudaMemcpyAsync(part, h + s * each, each * sizeof(float), cudaMemcpyHostToDevice,
                          streams[s]));
    scale<<<each / 256, 256, 0, streams[s]>>>(part, each, 3.0f);
    CHECK(cudaEventRecord(done[s], streams[s]));
    CHECK(cudaMemcpyAsync(h + s * each, part, each * sizeof(float), cudaMemcpyDeviceToHost,
                          streams[s]));
    CHECK(cudaStreamWaitEvent(last, done[s], 0));
  }
  total<<<1, 256, 0, last>>>(d, n, sum);
  CHECK(cudaMemcpyAsync(&result, sum, sizeof(float), cudaMemcpyDeviceToHost, last));
  CHECK(cudaStreamSynchronize(last));
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaDeviceSynchronize());
  float ms = -1, want = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    bad += h[i] != 3.0f * (i % 10);
    want += 3.0f * (i % 10);
  }
  for (int s = 0; s < slices; ++s) {
    CHECK(cudaStreamDestroy(streams[s]));
    CHECK(cudaEventDestroy(done[s]));
  }
  CHECK(cudaStreamDestroy(last));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
  CHECK(cudaFree(sum));
  delete[] streams;
  delete[] done;
  bool ok = bad == 0 && result == want && ms >= 0;
  printf("%d wrong, sum %g (%g)\n%s\n", bad, result, want, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
