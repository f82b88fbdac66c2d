// SPDX-License-Identifier: Apache-2.0
// Streams: order within one, waiting for another's event, the default stream, query, priorities,
// destruction.
#include "../check.h"

__global__ void append(int* log, int value, int turns) {
  float busy = float(value);
  for (int i = 0; i < turns; ++i)
    busy = busy * 0.5f + 1.0f;
  const int at = atomicAdd(&log[0], 1);
  log[1 + at] = value + (busy > 1e6f ? 1 : 0);
}

int main() {
  DeviceArray<int> log(std::vector<int>(20, 0)), other(std::vector<int>(20, 0));
  cudaStream_t a, b, c;
  cudaEvent_t done;
  CHECK_CUDA(cudaStreamCreate(&a));
  CHECK_CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  int least = 0, greatest = 0;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  expectTrue("a greater priority is a smaller number", greatest <= least);
  CHECK_CUDA(cudaStreamCreateWithPriority(&c, cudaStreamDefault, greatest));
  CHECK_CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));

  for (int i = 0; i < 5; ++i) // in order, though the first takes longest
    append<<<1, 1, 0, a>>>(log, i, 5000 - 1000 * i);
  CHECK_CUDA(cudaEventRecord(done, a));
  CHECK_CUDA(cudaStreamWaitEvent(b, done, 0));
  append<<<1, 1, 0, b>>>(log, 100, 1);
  CHECK_CUDA(cudaEventRecord(done, b)); // the event is free for another use
  CHECK_CUDA(cudaStreamWaitEvent(c, done, 0));
  append<<<1, 1, 0, c>>>(log, 200, 1);
  CHECK_CUDA(cudaStreamSynchronize(c));
  expectEqual("an idle stream", cudaStreamQuery(c), cudaSuccess);
  const int want[8] = {7, 0, 1, 2, 3, 4, 100, 200};
  const std::vector<int> got = log.read();
  for (int i = 0; i < 8; ++i)
    expectEqual("log", got[i], want[i]);

  append<<<1, 1, 0, a>>>(other, 1, 5000);
  append<<<1, 1>>>(other, 2, 1); // the default stream waits for a and makes a wait
  append<<<1, 1, 0, a>>>(other, 3, 1);
  CHECK_LAUNCH();
  for (int i = 0; i < 4; ++i)
    expectEqual("order with the default stream", other.read()[i], i == 0 ? 3 : i);
  expectEqual("query of the default stream", cudaStreamQuery(0), cudaSuccess);
  CHECK_CUDA(cudaStreamDestroy(a));
  CHECK_CUDA(cudaStreamDestroy(b));
  CHECK_CUDA(cudaStreamDestroy(c));
  CHECK_CUDA(cudaEventDestroy(done));
  return finish();
}
