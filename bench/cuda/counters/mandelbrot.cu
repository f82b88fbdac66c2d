// SPDX-License-Identifier: Apache-2.0
//
// Launches the engine benchmark's Mandelbrot kernel once, as large as a profiler likes it.
#include "../../../studies/study.cuh"
#include "../../engine/kernels/mandelbrot.cu"

int main() {
  constexpr int width = 512, height = 256;
  study::DeviceArray<int> out(width * height);
  kernel<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(out.data(), width, height, 256);
  STUDY_CHECK(cudaGetLastError());
  study::require(out.values()[height / 2 * width + width / 2] == 256, "the middle leaves");
}
