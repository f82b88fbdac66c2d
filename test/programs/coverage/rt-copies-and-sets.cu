// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaMemcpy, cudaMemset, cudaMemsetAsync, cudaMemGetInfo
// Copies of every direction, with cudaMemcpyDefault, overlapping work, sets of bytes; memory comes
// back.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

#define ok(x)                                                                                      \
  if ((x) != cudaSuccess) {                                                                        \
    fprintf(stderr, "%s failed\n", #x);                                                            \
    puts("FAIL");                                                                                  \
    exit(1);                                                                                       \
  }

int main(int argc, char** argv) {
  size_t n = argc > 1 ? (size_t)atoi(argv[1]) : 5000;
  unsigned char *h = (unsigned char*)malloc(n), *r = (unsigned char*)malloc(n), *a, *b;
  for (size_t i = 0; i < n; ++i)
    h[i] = (unsigned char)(i * 7);
  ok(cudaMalloc(&a, n));
  ok(cudaMalloc(&b, n));
  ok(cudaMemcpy(a, h, n, cudaMemcpyHostToDevice));
  ok(cudaMemset(b, 0xAB, n));
  ok(cudaMemcpy(b + 100, a + 50, n - 200, cudaMemcpyDeviceToDevice));
  ok(cudaMemsetAsync(b + 200, 0, 17, 0));
  ok(cudaMemcpy(r, b, n, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (size_t i = 0; i < n; ++i) {
    unsigned char want = i >= 200 && i < 217 ? 0 : i >= 100 && i < n - 100 ? h[i - 50] : 0xAB;
    bad += r[i] != want;
  }
  memset(r, 0, n);
  ok(cudaMemcpy(r, h, n, cudaMemcpyHostToHost));
  bad += memcmp(r, h, n) != 0;
  memset(r, 0, n);
  ok(cudaMemcpy(r, a, n, cudaMemcpyDefault));
  bad += memcmp(r, h, n) != 0;
  ok(cudaMemcpy(a, a, 0, cudaMemcpyDeviceToDevice));
  ok(cudaFree(a));
  ok(cudaFree(b));
  // What is freed can be had again: far more in turn than the device has at once is not needed
  // here.
  size_t before = 0, after = 0, total = 0;
  ok(cudaMemGetInfo(&before, &total));
  for (int i = 0; i < 20; ++i) {
    void* p;
    ok(cudaMalloc(&p, 64 << 20));
    ok(cudaFree(p));
  }
  ok(cudaMemGetInfo(&after, &total));
  bad += before > total || after > total || after + (256 << 20) < before;
  free(h);
  free(r);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
