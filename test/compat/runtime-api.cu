// The runtime API as programs call it: typed pointers, symbols, streams, events, defaults.
#include <cuda_runtime.h>

__constant__ int limits[4];
__device__ double total;

// CHECK: define {{.*}}@nothing
extern "C" __global__ void nothing(int*) {}

int main() {
  int *device = nullptr, *pinned = nullptr, *managed = nullptr;
  int host[4] = {};
  double sum = 0;
  size_t pitch = 0, free = 0, all = 0;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float milliseconds = 0;
  int blocks = 0;
  cudaFuncAttributes attributes;
  cudaError_t status = cudaMalloc(&device, 64);
  status = cudaMallocHost(&pinned, 64);
  status = cudaHostAlloc(&pinned, 64, cudaHostAllocDefault);
  status = cudaMallocManaged(&managed, 64);
  status = cudaMallocPitch(&device, &pitch, 10, 10);
  status = cudaStreamCreate(&stream);
  status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  status = cudaEventCreate(&begin);
  status = cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  status = cudaEventRecord(begin);
  status = cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  status = cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyDefault, stream);
  status = cudaMemcpy2D(device, pitch, host, 8, 8, 2, cudaMemcpyHostToDevice);
  status = cudaMemset(device, 0, 64);
  status = cudaMemsetAsync(device, 0, 64, stream);
  status = cudaMemcpyToSymbol(limits, host, sizeof host);
  status = cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  status = cudaGetSymbolAddress((void**)&device, total);
  status = cudaMemGetInfo(&free, &all);
  status = cudaFuncGetAttributes(&attributes, nothing);
  status = cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  status = cudaFuncSetCacheConfig(nothing, cudaFuncCachePreferL1);
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0);
  nothing<<<1, 1, 0, stream>>>(device);
  void* arguments[] = {&device};
  status = cudaLaunchKernel(nothing, dim3(1), dim3(1), arguments, 0, stream);
  status = cudaEventRecord(end, stream);
  status = cudaEventSynchronize(end);
  status = cudaEventElapsedTime(&milliseconds, begin, end);
  status = cudaStreamWaitEvent(stream, end, 0);
  status = cudaStreamSynchronize(stream);
  status = cudaStreamDestroy(stream);
  status = cudaEventDestroy(begin);
  status = cudaFreeHost(pinned);
  status = cudaFree(device);
  return cudaGetErrorString(status)[0];
}
