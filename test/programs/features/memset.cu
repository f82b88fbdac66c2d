// SPDX-License-Identifier: Apache-2.0
// cudaMemset sets bytes, not words; parts of an array, in a stream, and only the low byte of the
// value.
#include "../check.h"

int main() {
  DeviceArray<unsigned> words(64);
  CHECK_CUDA(cudaMemset(words, 0, 64 * 4));
  expectArray("zeros", words.read(), [](size_t) { return 0u; });
  CHECK_CUDA(cudaMemset(words, 1, 64 * 4));
  expectArray("ones", words.read(), [](size_t) { return 0x01010101u; });
  CHECK_CUDA(cudaMemset(words + 8, 0x1ff, 16 * 4));
  expectArray("part", words.read(), [](size_t i) { return i >= 8 && i < 24 ? ~0u : 0x01010101u; });
  CHECK_CUDA(cudaMemset((char*)(unsigned*)words + 1, 0x22, 2));
  expectEqual("two bytes", words.read()[0], 0x01222201u);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemsetAsync(words, 0x7f, 32 * 4, stream));
  CHECK_CUDA(cudaMemsetAsync(words + 32, 0, 32 * 4, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
  expectArray("in a stream", words.read(), [](size_t i) { return i < 32 ? 0x7f7f7f7fu : 0u; });
  CHECK_CUDA(cudaMemset(words, 5, 0));
  expectEqual("no bytes", words.read()[0], 0x7f7f7f7fu);
  return finish();
}
