// SPDX-License-Identifier: Apache-2.0
// printf on the device, from one thread at a time: every common format, widths, strings, no
// arguments, its return value.
#include "../check.h"

struct Named {
  const char* name;
  int value;
};

__global__ void print(int* out) {
  if (threadIdx.x == 3) {
    char local[8] = "local";
    const Named named{"lanes", 32};
    out[0] = printf("plain text, 100%%\n");
    out[1] = printf("%d %i %u %x %X %o %c|\n", -5, 7, 4000000000u, 255u, 255u, 8u, 'z');
    out[2] = printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    printf("%lld %llu %llx %ld\n", -9000000000ll, 18000000000000000000ull, 0xabcdef0123ull,
           123456789012l);
    printf("%f %.3f %8.2f %e %g %g\n", 1.5, 3.14159265, -2.5, 12345.678, 0.0001, 1e20);
    printf("%s has %d %s, %s %10s|%-6s|\n", "warp", named.value, named.name, local, "right",
           "left");
    printf("%*d %.*f\n", 6, 77, 2, 2.71828f);
    printf("%hd %hhd %zu %p\n", short(-3), (signed char)(-4), size_t(99), (void*)nullptr);
  }
}

__global__ void inOrder() {
  for (int i = 0; i < 3; ++i)
    if (threadIdx.x == 0)
      printf("turn %d of block %d\n", i, blockIdx.x);
}

int main() {
  DeviceArray<int> out(3);
  print<<<1, 32>>>(out);
  CHECK_LAUNCH();
  inOrder<<<1, 32>>>();
  CHECK_LAUNCH();
  // CUDA returns the number of arguments, not of characters.
  const int want[3] = {0, 7, 4};
  expectArray("returned by printf", out.read(), [&](size_t i) { return want[i]; });
  return finish();
}
