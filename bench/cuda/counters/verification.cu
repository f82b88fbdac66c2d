// SPDX-License-Identifier: Apache-2.0
//
// Launches the verification kernel of document 002 once: one path in four iterations, the other in
// three.
#include "../../../studies/study.cuh"
#include "../../engine/kernels/verification.cu"

int main() {
  constexpr int blocks = 16, threads = 128;
  study::DeviceArray<float> out(blocks * threads);
  kernel<<<blocks, threads>>>(out.data(), 100, 100, 1u << 22);
  STUDY_CHECK(cudaGetLastError());
  STUDY_CHECK(cudaDeviceSynchronize());
}
