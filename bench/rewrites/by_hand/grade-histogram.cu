// SPDX-License-Identifier: Apache-2.0
// Histogram of exam marks in ten grades.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define GRADES 10

__global__ void countGrades(const short* marks, unsigned* histogram, int n) {
  __shared__ unsigned bins[8][GRADES];
  for (int b = threadIdx.x; b < 8 * GRADES; b += blockDim.x) bins[b / GRADES][b % GRADES] = 0;
  __syncthreads();
  unsigned* mine = bins[threadIdx.x / 32];
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    int grade = min(marks[i] / 10, GRADES - 1);
    atomicAdd(&mine[grade], 1u);
  }
  __syncthreads();
  if (threadIdx.x < GRADES) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += bins[w][threadIdx.x];
    atomicAdd(&histogram[threadIdx.x], sum);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::mt19937 gen(100);
  std::normal_distribution<float> normal(62.0f, 15.0f);
  std::vector<short> marks(n);
  for (short& m : marks) {
    float v = normal(gen);
    m = static_cast<short>(v < 0 ? 0 : (v > 100 ? 100 : v));
  }
  short* dMarks;
  unsigned* dHist;
  cudaMalloc(&dMarks, n * sizeof(short));
  cudaMalloc(&dHist, GRADES * sizeof(unsigned));
  cudaMemcpy(dMarks, marks.data(), n * sizeof(short), cudaMemcpyHostToDevice);
  cudaMemset(dHist, 0, GRADES * sizeof(unsigned));
  countGrades<<<528, 256>>>(dMarks, dHist, n);
  unsigned hist[GRADES];
  cudaMemcpy(hist, dHist, sizeof(hist), cudaMemcpyDeviceToHost);
  for (unsigned h : hist) std::printf("%u ", h);
  std::printf("\n");
  cudaFree(dMarks);
  cudaFree(dHist);
  return 0;
}
