// SPDX-License-Identifier: Apache-2.0
// COVERS: driver API: devices and memory
// FLAGS: -lcuda
// The driver API beside the runtime API, as programs do that only ask for the device and its memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    CUresult result = (call);                                                                      \
    if (result != CUDA_SUCCESS) {                                                                  \
      const char* text;                                                                            \
      cuGetErrorString(result, &text);                                                             \
      printf("%s:%d: %s\nFAIL\n", __FILE__, __LINE__, text);                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void square(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= v[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, count = 0, major = 0, version = 0, bad = 0;
  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&version));
  CHECK(cuDeviceGetCount(&count));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  char name[100];
  size_t all = 0, available = 0;
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceTotalMem(&all, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuMemGetInfo(&available, &all));
  bad += count < 1 || major < 2 || version < 2000 || name[0] == 0 || available > all;
  bad += cuDeviceGet(&device, 1000) != CUDA_ERROR_INVALID_DEVICE;

  std::vector<float> host(n), got(n);
  for (int i = 0; i < n; ++i)
    host[i] = i % 91;
  CUdeviceptr memory;
  CUstream stream;
  CUevent begin, end;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuMemAlloc(&memory, n * sizeof(float)));
  CHECK(cuMemcpyHtoDAsync(memory, host.data(), n * sizeof(float), stream));
  CHECK(cuEventRecord(begin, stream));
  square<<<(n + 127) / 128, 128, 0, stream>>>((float*)memory, n);
  CHECK(cuEventRecord(end, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(got.data(), memory, n * sizeof(float)));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  for (int i = 0; i < n; ++i)
    bad += got[i] != host[i] * host[i];
  CHECK(cuMemFree(memory));
  CHECK(cuEventDestroy(begin));
  CHECK(cuEventDestroy(end));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuDevicePrimaryCtxRelease(device));
  bad += milliseconds < 0;
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
