// SPDX-License-Identifier: Apache-2.0
//
// Launches the engine benchmark's graph step once: rows of 0 to 60 edges, a few of them long.
#include "../../../studies/study.cuh"
#include "../../engine/kernels/graph.cu"

int main() {
  constexpr int nodes = 8192;
  unsigned random = 1;
  const auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 16; };
  std::vector<int> first = {0}, distance(nodes), edges, weights;
  for (int node = 0; node < nodes; ++node) {
    const unsigned degree = next() % 16 == 0 ? next() % 61 : next() % 8;
    for (unsigned e = 0; e < degree; ++e) {
      edges.push_back(int(next() % nodes));
      weights.push_back(int(next() % 100));
    }
    first.push_back(int(edges.size()));
    distance[node] = int(next() % 1000);
  }
  study::DeviceArray<int> from(distance), rows(first), ends(edges), lengths(weights), to(nodes);
  kernel<<<nodes / 256, 256>>>(to.data(), from.data(), rows.data(), ends.data(), lengths.data(),
                               nodes);
  STUDY_CHECK(cudaGetLastError());
  STUDY_CHECK(cudaDeviceSynchronize());
}
