// SPDX-License-Identifier: Apache-2.0
// Variables in device and constant memory with initialisers of every kind; a kernel's change stays
// for the next one.
#include "../check.h"

struct Material {
  const char* name;
  float density;
  int codes[3];
};

__device__ int counter = 41;
__device__ double table[5] = {1.5, 2.5, 3.5}; // the rest is zero
__device__ int zeros[10];
__device__ Material materials[2] = {{"oak", 0.75f, {1, 2, 3}}, {"steel", 7.75f, {4, 5, 6}}};
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__constant__ Material fixed = {"glass", 2.5f, {7, 8, 9}};
__device__ int* middle = &zeros[5]; // the address of another variable
static __device__ unsigned char letters[] = "warp";
__device__ const int primes[] = {2, 3, 5, 7, 11};
namespace loom {
__device__ long long shuttle = -1234567890123ll;
}

__global__ void first(double* out) {
  const int i = threadIdx.x;
  atomicAdd(&counter, 1);
  zeros[i % 10] = i % 10;
  if (i == 0) {
    *middle = 55;
    loom::shuttle += 1;
    materials[1].codes[2] = 60;
  }
  out[i] = table[i % 5] + weights[i % 3] * fixed.density + letters[i % 4] +
           materials[i % 2].density + materials[i % 2].name[i % 3] + fixed.codes[i % 3] +
           primes[i % 5];
}

__global__ void second(long long* out) {
  out[0] = counter;
  out[1] = loom::shuttle;
  out[2] = zeros[3] + zeros[9];
  out[3] = materials[1].codes[2];
}

int main() {
  DeviceArray<double> out(32);
  DeviceArray<long long> later(4);
  first<<<1, 32>>>(out);
  second<<<1, 1>>>(later);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t n) {
    const int i = int(n), primes[] = {2, 3, 5, 7, 11};
    const double table[5] = {1.5, 2.5, 3.5}, weights[3] = {0.25, 0.5, 0.25};
    const char* names[2] = {"oak", "steel"};
    return table[i % 5] + weights[i % 3] * 2.5 + "warp"[i % 4] + (i % 2 ? 7.75 : 0.75) +
           names[i % 2][i % 3] + (7 + i % 3) + primes[i % 5];
  });
  const std::vector<long long> got = later.read();
  expectEqual("counter", got[0], 41 + 32);
  expectEqual("shuttle", got[1], -1234567890122ll);
  expectEqual("zeros", got[2], 12);
  expectEqual("code", got[3], 60);
  return finish();
}
