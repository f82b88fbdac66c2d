// SPDX-License-Identifier: Apache-2.0
// COVERS: device printf
// The formats of the device's printf: its output is caught in a file and compared line by line.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

__global__ void speak(const char* text, int* returned) {
  if (threadIdx.x != 0)
    return;
  int n = 0;
  n += printf("plain %d %5d %-5d| %05d %+d\n", 42, 42, 42, 42, 42);
  n += printf("hex %x %X %#x octal %o\n", 255u, 255u, 255u, 8u);
  n += printf("long %ld %lld %llu\n", -5L, -123456789012LL, 18446744073709551615ULL);
  n += printf("float %f %.2f %8.3f %e %g\n", 1.5f, 3.14159, 2.0, 12345.678, 0.0001);
  n += printf("char %c%c string %s %10s|%-10s|\n", 'o', 'k', "literal", "right", "left");
  printf("percent %% star %*d %.2f\n", 6, 7, 1.0 / 3);
  n += printf("none\n");
  *returned = n;
}

__global__ void each() {
  printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
  int* returned;
  if (cudaMallocManaged(&returned, sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  fflush(stdout);
  char path[] = "/tmp/printfXXXXXX";
  int file = mkstemp(path), saved = dup(1);
  if (file < 0 || dup2(file, 1) < 0)
    return puts("FAIL"), 1;
  speak<<<1, 32>>>(nullptr, returned);
  cudaDeviceSynchronize();
  each<<<2, 3>>>();
  cudaError_t e = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(saved, 1);
  std::string got;
  lseek(file, 0, SEEK_SET);
  char buffer[4096];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;)
    got.append(buffer, (size_t)n);
  close(file);
  unlink(path);
  const char* want = "plain 42    42 42   | 00042 +42\n"
                     "hex ff FF 0xff octal 10\n"
                     "long -5 -123456789012 18446744073709551615\n"
                     "float 1.500000 3.14    2.000 1.234568e+04 0.0001\n"
                     "char ok string literal      right|left      |\n"
                     "percent % star      7 0.33\n"
                     "none\n";
  bool ok = e == cudaSuccess && got.compare(0, strlen(want), want) == 0;
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 3; ++t) {
      std::string line = "thread " + std::to_string(t) + " of block " + std::to_string(b) + "\n";
      ok = ok && got.find(line) != std::string::npos;
    }
  // Each counted call returns the number of its arguments.
  ok = ok && *returned == 5 + 4 + 3 + 5 + 5 + 0;
  if (!ok)
    printf("returned %d, printed:\n%s", *returned, got.c_str());
  cudaFree(returned);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
