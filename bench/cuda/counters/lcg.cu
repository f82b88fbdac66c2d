// SPDX-License-Identifier: Apache-2.0
//
// Launches the engine benchmark's generator, a loop in each of two paths, once.
#include "../../../studies/study.cuh"
#include "../../engine/kernels/lcg.cu"

int main() {
  constexpr int blocks = 64, threads = 128;
  study::DeviceArray<unsigned> out(blocks * threads);
  kernel<<<blocks, threads>>>(out.data(), 50);
  STUDY_CHECK(cudaGetLastError());
  STUDY_CHECK(cudaDeviceSynchronize());
}
