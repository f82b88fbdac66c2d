// SPDX-License-Identifier: Apache-2.0
// 2-D Ising model, Metropolis with a chequerboard: first the white sites, then the black ones.
// Course exercise 5.

#include <iostream>
#include <vector>
#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>

const int L = 96;
const int BLOCK_X = 16, BLOCK_Y = 16;

#define gpuErrchk(x) if ((x) != cudaSuccess) { std::cout << "CUDA error, line " << __LINE__ << std::endl; std::exit(1); }

__host__ __device__ inline unsigned int hash3(unsigned int a, unsigned int b, unsigned int c)
{
  unsigned int h = a * 0x9E3779B1u ^ (b * 0x85EBCA77u + 0x165667B1u) ^ c * 0xC2B2AE3Du;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return h;
}

// table of the probabilities, as integers out of 2^32, for dE = 4 and dE = 8
__constant__ unsigned int accept[3];

__global__ void initSpins(signed char* spin, unsigned int seed)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= L || y >= L) return;
  spin[y * L + x] = (hash3(x, y, seed) & 1) ? 1 : -1;
}

__global__ void sweep(signed char* spin, int colour, int step)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= L || y >= L)
    return;
  if ((x + y) % 2 != colour)
    return;

  int left = (x == 0) ? L - 1 : x - 1;
  int right = (x == L - 1) ? 0 : x + 1;
  int up = (y == 0) ? L - 1 : y - 1;
  int down = (y == L - 1) ? 0 : y + 1;
  int s = spin[y * L + x];
  int sum = spin[y * L + left] + spin[y * L + right] + spin[up * L + x] + spin[down * L + x];
  int dE = 2 * s * sum;
  if (dE <= 0)
    spin[y * L + x] = -s;
  else {
    unsigned int r = hash3(y * L + x, step, 77u + colour);
    if (r < accept[dE / 4])
      spin[y * L + x] = -s;
  }
}

int main()
{
  const double T = 2.2;
  const int sweeps = 40;
  unsigned int table[3] = {0xFFFFFFFFu, (unsigned int)(std::exp(-4.0 / T) * 4294967295.0),
                           (unsigned int)(std::exp(-8.0 / T) * 4294967295.0)};
  gpuErrchk(cudaMemcpyToSymbol(accept, table, sizeof(table)));

  signed char* d_spin;
  gpuErrchk(cudaMalloc(&d_spin, L * L));
  dim3 block(BLOCK_X, BLOCK_Y), grid((L + BLOCK_X - 1) / BLOCK_X, (L + BLOCK_Y - 1) / BLOCK_Y);
  initSpins<<<grid, block>>>(d_spin, 1u);
  for (int i = 0; i < sweeps; i++) {
    sweep<<<grid, block>>>(d_spin, 0, i);
    sweep<<<grid, block>>>(d_spin, 1, i);
  }
  gpuErrchk(cudaGetLastError());
  std::vector<signed char> spin(L * L);
  gpuErrchk(cudaMemcpy(spin.data(), d_spin, L * L, cudaMemcpyDeviceToHost));

  // the same, in order, on the CPU
  std::vector<signed char> ref(L * L);
  for (int y = 0; y < L; y++)
    for (int x = 0; x < L; x++)
      ref[y * L + x] = (hash3(x, y, 1u) & 1) ? 1 : -1;
  for (int i = 0; i < sweeps; i++)
    for (int colour = 0; colour < 2; colour++)
      for (int y = 0; y < L; y++)
        for (int x = (y + colour) % 2; x < L; x += 2) {
          int s = ref[y * L + x];
          int sum = ref[y * L + (x + L - 1) % L] + ref[y * L + (x + 1) % L] + ref[(y + L - 1) % L * L + x] + ref[(y + 1) % L * L + x];
          int dE = 2 * s * sum;
          if (dE <= 0 || hash3(y * L + x, i, 77u + colour) < table[dE / 4])
            ref[y * L + x] = -s;
        }

  int magnetisation = 0, energy = 0;
  for (int y = 0; y < L; y++)
    for (int x = 0; x < L; x++) {
      magnetisation += spin[y * L + x];
      energy -= spin[y * L + x] * (spin[y * L + (x + 1) % L] + spin[(y + 1) % L * L + x]);
    }
  std::cout << "T = " << T << ", " << sweeps << " sweeps of " << L << " x " << L << std::endl;
  std::cout << "m = " << (double)magnetisation / (L * L) << ", e = " << (double)energy / (L * L) << std::endl;
  bool same = spin == ref;
  std::cout << (same ? "matches the CPU" : "DIFFERS from the CPU") << std::endl;
  cudaFree(d_spin);
  return same ? 0 : 1;
}
