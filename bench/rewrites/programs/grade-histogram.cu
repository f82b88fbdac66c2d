// SPDX-License-Identifier: Apache-2.0
// Histogram of exam marks in ten grades.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define GRADES 10

__global__ void countGrades(const short* marks, unsigned* histogram, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int grade = marks[i] / 10;
    if (grade >= GRADES) grade = GRADES - 1;
    atomicAdd(&histogram[grade], 1u);
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
  countGrades<<<(n + 255) / 256, 256>>>(dMarks, dHist, n);
  unsigned hist[GRADES];
  cudaMemcpy(hist, dHist, sizeof(hist), cudaMemcpyDeviceToHost);
  for (unsigned h : hist) std::printf("%u ", h);
  std::printf("\n");
  cudaFree(dMarks);
  cudaFree(dHist);
  return 0;
}
