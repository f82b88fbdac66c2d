// The runtime API as programs call it: typed pointers, symbols, streams, events, defaults.
#include <cuda_profiler_api.h>
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
  int grid = 0, block = 0;
  status = cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 0);
  status = cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, nothing,
                                                          [](int threads) { return threads * 4; });
  cudaPitchedPtr volume;
  cudaMemcpy3DParms copy = {};
  status = cudaMalloc3D(&volume, make_cudaExtent(4, 4, 4));
  copy.srcPtr = make_cudaPitchedPtr(host, 4, 4, 4);
  copy.dstPtr = volume;
  copy.extent = make_cudaExtent(4, 4, 1);
  copy.kind = cudaMemcpyHostToDevice;
  status = cudaMemcpy3D(&copy);
  status = cudaMemset3D(volume, 0, copy.extent);
  status = cudaMemcpyPeerAsync(device, 0, device, 0, 0, stream);
  status = cudaProfilerStart();
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
