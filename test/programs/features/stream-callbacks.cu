// SPDX-License-Identifier: Apache-2.0
// cudaLaunchHostFunc and cudaStreamAddCallback: host functions run in the order of the stream,
// after what came before.
#include <atomic>

#include "../check.h"

__global__ void set(volatile int* host, int value) {
  *host = value;
}

struct Record {
  volatile int* host;
  int seen[4];
  std::atomic<int> calls;
};

void look(void* data) {
  Record* record = static_cast<Record*>(data);
  record->seen[record->calls++] = *record->host;
}
void lookBack(cudaStream_t, cudaError_t status, void* data) {
  Record* record = static_cast<Record*>(data);
  record->seen[record->calls++] = *record->host + (status == cudaSuccess ? 1000 : 0);
}

int main() {
  int *host = nullptr, *mapped = nullptr;
  CHECK_CUDA(cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped));
  CHECK_CUDA(cudaHostGetDevicePointer(&mapped, host, 0));
  *host = 0;
  Record record{host, {}, {}};
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaLaunchHostFunc(stream, look, &record));
  set<<<1, 1, 0, stream>>>(mapped, 11);
  CHECK_CUDA(cudaLaunchHostFunc(stream, look, &record));
  set<<<1, 1, 0, stream>>>(mapped, 22);
  CHECK_CUDA(cudaStreamAddCallback(stream, lookBack, &record, 0));
  set<<<1, 1, 0, stream>>>(mapped, 33);
  CHECK_CUDA(cudaLaunchHostFunc(stream, look, &record));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expectEqual("calls", record.calls.load(), 4);
  const int want[4] = {0, 11, 1022, 33};
  for (int i = 0; i < 4; ++i)
    expectEqual("seen by a host function", record.seen[i], want[i]);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFreeHost(host));
  return finish();
}
