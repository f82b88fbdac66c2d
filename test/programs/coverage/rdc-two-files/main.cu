// SPDX-License-Identifier: Apache-2.0
// COVERS: -rdc, separate compilation, symbols
// FLAGS: -rdc=true
// FILES: main.cu particles.cu
// A program of two files: device functions, variables, constants and a kernel of the other one.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "particles.h"

__global__ void simulate(Particle* p, int n, int width, int* weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int s = 0; s < steps; ++s) {
    p[i].vx += gravity[0];
    p[i].vy += gravity[1];
    p[i].advance(width);
  }
  atomicAdd(&weights[i % 4], weigh(p[i]));
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500, width = 100, turns = 6, down[2] = {0, -1}, sums[4],
      want[4] = {};
  std::vector<Particle> particles(n), got(n);
  for (int i = 0; i < n; ++i)
    particles[i] = {i % width, i * 3 % width, i % 7 - 3, i % 5};
  Particle* d;
  int* weights;
  if (cudaMalloc(&d, n * sizeof(Particle)) || cudaMalloc(&weights, sizeof sums))
    return puts("FAIL"), 1;
  cudaMemcpy(d, particles.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(steps, &turns, sizeof turns);
  cudaMemcpyToSymbol(gravity, down, sizeof down);
  clearAll<<<1, 32>>>(weights, 4);
  simulate<<<(n + 127) / 128, 128>>>(d, n, width, weights);
  cudaMemcpy(got.data(), d, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  cudaError_t e = cudaMemcpy(sums, weights, sizeof sums, cudaMemcpyDeviceToHost);
  int bad = e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    Particle& p = particles[i];
    for (int s = 0; s < turns; ++s) {
      p.vy -= 1;
      p.advance(width);
    }
    bad += p.x != got[i].x || p.y != got[i].y || p.vx != got[i].vx || p.vy != got[i].vy;
    want[i % 4] += p.energy() + turns;
  }
  for (int k = 0; k < 4; ++k)
    bad += sums[k] != want[k];
  cudaFree(d);
  cudaFree(weights);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
