// SPDX-License-Identifier: Apache-2.0
// Events: elapsed time is not negative and adds up, query and synchronise, events without timing,
// an event never recorded.
#include "../check.h"

__global__ void work(float* out, int turns) {
  float x = float(threadIdx.x);
  for (int i = 0; i < turns; ++i)
    x = x * 0.999f + 0.1f;
  out[threadIdx.x] = x;
}

int main() {
  DeviceArray<float> out(64);
  cudaEvent_t begin, middle, end, untimed, idle;
  CHECK_CUDA(cudaEventCreate(&begin));
  CHECK_CUDA(cudaEventCreate(&middle));
  CHECK_CUDA(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  CHECK_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventCreate(&idle));
  CHECK_CUDA(cudaEventRecord(begin));
  work<<<1, 64>>>(out, 2000);
  CHECK_CUDA(cudaEventRecord(middle, 0));
  work<<<1, 64>>>(out, 1000);
  CHECK_CUDA(cudaEventRecord(untimed, 0));
  CHECK_CUDA(cudaEventRecord(end));
  CHECK_CUDA(cudaEventSynchronize(end));
  expectEqual("query after the end", cudaEventQuery(end), cudaSuccess);
  expectEqual("query of an event never recorded", cudaEventQuery(idle), cudaSuccess);
  float first = -1, second = -1, whole = -1;
  CHECK_CUDA(cudaEventElapsedTime(&first, begin, middle));
  CHECK_CUDA(cudaEventElapsedTime(&second, middle, end));
  CHECK_CUDA(cudaEventElapsedTime(&whole, begin, end));
  expectTrue("times are not negative", first >= 0 && second >= 0 && whole >= 0);
  expectNear("the whole is the sum of its parts", first + second, whole, 0.01, 0.01);
  expectTrue("a sensible time", whole < 60000);
  float none = 0;
  expectEqual("time of an event without timing", cudaEventElapsedTime(&none, begin, untimed),
              cudaErrorInvalidResourceHandle);
  expectEqual("time of an event never recorded", cudaEventElapsedTime(&none, begin, idle),
              cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  for (cudaEvent_t event : {begin, middle, end, untimed, idle})
    CHECK_CUDA(cudaEventDestroy(event));
  return finish();
}
