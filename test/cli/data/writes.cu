// SPDX-License-Identifier: Apache-2.0
//
// The kernel of fused.cu in a program that writes files, prints a pointer, and leaves addresses of the
// host on the device. Standard input: turns, and digits of the result.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

struct Job {
  float* results;
  const void *onHeap, *onStack, *inPages;
};
__device__ Job job;

__global__ void steps(float* results, int turns) {
  const int thread = threadIdx.x;
  float value = results[thread];
  unsigned state = thread * 2654435761u;
  for (int i = 0; i < turns; ++i) {
    state = state * 1664525u + 1013904223u;
    const float product = value * 0.7654321f;
    if (state >> 31) {
      value = product + 0.1234567f;
#pragma unroll 1
      for (int step = 0; step < 100; ++step)
        value = fabsf(value - 0.5f);
    } else {
#pragma unroll 1
      for (int step = 0; step < 100; ++step)
        value = fabsf(value - 0.375f);
    }
  }
  results[thread] = value;
}

static long nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

/// Adds one to the number in a file that is there, in place.
static int countRun() {
  std::FILE* file = std::fopen("runs.txt", "r+");
  int runs = 0;
  if (file == nullptr || std::fscanf(file, "%d", &runs) != 1)
    std::exit(3);
  std::rewind(file);
  std::fprintf(file, "%d\n", runs + 1);
  std::fclose(file);
  std::ifstream again("runs.txt");
  again >> runs;
  return runs;
}

static void writeFiles(const float* results, int digits) {
  if (open("fresh.txt", O_WRONLY | O_CREAT | O_EXCL, 0600) < 0)
    std::puts("another run has been here");
  std::ofstream text("out.txt");
  text.precision(digits);
  text << "result ";
  if (digits > 8)
    text << long(results[3] * 1e9); // a whole number, for which there is no tolerance
  else
    text << results[3];
  text << "\ntook " << nanoseconds() << " ns\n";
  std::ofstream raw("out.raw", std::ios::binary);
  const long time = nanoseconds();
  raw.write("\0\0\0", 3).write(reinterpret_cast<const char*>(&time), sizeof time);
  std::remove("old.txt");
  std::rename("old.dat", "new.dat");
}

int main() {
  int turns = 0, digits = 0;
  if (std::scanf("%d %d", &turns, &digits) != 2)
    return std::puts("no numbers came on standard input"), 3;
  static float host[1024];
  float* results;
  const Job made = {nullptr, std::malloc(100), &turns, std::malloc(10000000)};
  for (int i = 0; i < 1024; ++i)
    host[i] = i / 7.0f;
  cudaMalloc(&results, sizeof host);
  cudaMemcpyToSymbol(job, &made, sizeof made);
  cudaMemcpyToSymbol(job, &results, sizeof results);
  cudaMemcpy(results, host, sizeof host, cudaMemcpyHostToDevice);
  steps<<<1, 1024>>>(results, turns);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("run %d, results at %p\n", countRun(), static_cast<void*>(results));
  writeFiles(host, digits);
}
