// SPDX-License-Identifier: Apache-2.0
// COVERS: grid numbers
// %gridid: the same in all threads of a launch, of 32 or 64 bits, and greater in a later launch.
#include "../check.h"

__global__ void number(unsigned long long* out) {
  unsigned long long wide;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(wide));
  out[blockIdx.x * blockDim.x + threadIdx.x] = wide;
}

__global__ void narrowNumber(unsigned long long* out) {
  unsigned narrow;
  asm("mov.u32 %0, %gridid;" : "=r"(narrow));
  out[blockIdx.x * blockDim.x + threadIdx.x] = narrow;
}

int main() {
  DeviceArray<unsigned long long> out(3 * 70);
  unsigned long long before = 0;
  for (int launch = 0; launch < 4; ++launch) {
    if (launch % 2 == 0)
      number<<<3, 70>>>(out);
    else
      narrowNumber<<<3, 70>>>(out);
    CHECK_LAUNCH();
    const unsigned long long now = out.read()[0];
    expectTrue("it grows", now > before);
    expectArray("the same for all", out.read(), [=](size_t) { return now; });
    before = now;
  }
  return finish();
}
