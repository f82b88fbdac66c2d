// SPDX-License-Identifier: Apache-2.0
// cudaGetLastError clears, cudaPeekAtLastError does not, success does not clear; names and texts of
// errors.
#include <cstring>

// DIFFERS: CUDA 13 has other codes for a bad configuration and for what is no kernel; these are CUDA 12's.
#include "../check.h"

__global__ void nothing() {}

int main() {
  expectEqual("no error at the start", cudaGetLastError(), cudaSuccess);
  expectEqual("the call itself", cudaSetDevice(99), cudaErrorInvalidDevice);
  expectEqual("peek", cudaPeekAtLastError(), cudaErrorInvalidDevice);
  expectEqual("peek again", cudaPeekAtLastError(), cudaErrorInvalidDevice);
  int device = -1;
  expectEqual("a call that succeeds", cudaGetDevice(&device), cudaSuccess);
  expectEqual("the error is still there", cudaPeekAtLastError(), cudaErrorInvalidDevice);
  expectEqual("get", cudaGetLastError(), cudaErrorInvalidDevice);
  expectEqual("get again", cudaGetLastError(), cudaSuccess);

  // A later error takes the place of an earlier one.
  cudaSetDevice(99);
  cudaFree(reinterpret_cast<void*>(0x1234));
  expectEqual("the later error", cudaGetLastError(), cudaErrorInvalidValue);
  expectEqual("only one is kept", cudaGetLastError(), cudaSuccess);

  nothing<<<1, 2000>>>();
  expectEqual("a failed launch", cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  expectEqual("is not an error of the device", cudaDeviceSynchronize(), cudaSuccess);
  expectEqual("but the last error", cudaGetLastError(), cudaErrorInvalidConfiguration);
  nothing<<<1, 32>>>();
  expectEqual("the next launch", cudaGetLastError(), cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());

  expectTrue("name", !strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  expectTrue("text", !strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
  expectTrue("text of success", !strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  expectTrue("text of a bad launch", !strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                                             "invalid configuration argument"));
  return finish();
}
