// SPDX-License-Identifier: Apache-2.0
// Relaxes the nine populations of a lattice fluid towards equilibrium in the open pore cells.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define Q 9

__constant__ int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float W[Q] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9,
                           1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__global__ void collide(float* f, const int* solid, int cells, float omega) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cells && !solid[c]) {
    float rho = 0, ux = 0, uy = 0;
    float pop[Q];
    for (int q = 0; q < Q; ++q) {
      pop[q] = f[q * cells + c];
      rho += pop[q];
      ux += pop[q] * CX[q];
      uy += pop[q] * CY[q];
    }
    ux /= rho;
    uy /= rho;
    float usq = 1.5f * (ux * ux + uy * uy);
    for (int q = 0; q < Q; ++q) {
      float cu = 3.0f * (CX[q] * ux + CY[q] * uy);
      float eq = W[q] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
      f[q * cells + c] = pop[q] + omega * (eq - pop[q]);
    }
  }
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 3000000;
  std::mt19937 gen(8);
  std::vector<float> f(size_t(Q) * cells);
  std::vector<int> solid(cells);
  for (float& v : f) v = 0.05f + 0.1f * (gen() & 0xffff) / 65535.0f;
  for (int& s : solid) s = gen() % 100 >= 55;
  float* dF;
  int* dSolid;
  cudaMalloc(&dF, f.size() * sizeof(float));
  cudaMalloc(&dSolid, cells * sizeof(int));
  cudaMemcpy(dF, f.data(), f.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dSolid, solid.data(), cells * sizeof(int), cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) {
    collide<<<(cells + 255) / 256, 256>>>(dF, dSolid, cells, 1.2f);
  }
  cudaMemcpy(f.data(), dF, f.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double mass = 0, first = 0;
  for (size_t i = 0; i < f.size(); ++i) mass += f[i];
  for (int c = 0; c < cells; ++c) first += f[c];
  std::printf("mass %.5e rest %.5e\n", mass, first);
  cudaFree(dF);
  cudaFree(dSolid);
  return 0;
}
