// SPDX-License-Identifier: Apache-2.0
//
// Launches the engine benchmark's n-body kernel once.
#include "../../../studies/study.cuh"
#include "../../engine/kernels/nbody.cu"

int main() {
  constexpr int bodies = 1024;
  std::vector<float> values(bodies);
  for (int i = 0; i < bodies; ++i)
    values[i] = float(i * 7919 % bodies) / bodies;
  study::DeviceArray<float> x(values), y(values), z(values), mass(values), out(3 * bodies);
  kernel<<<bodies / 256, 256>>>(out.data(), x.data(), y.data(), z.data(), mass.data(), bodies);
  STUDY_CHECK(cudaGetLastError());
  STUDY_CHECK(cudaDeviceSynchronize());
}
