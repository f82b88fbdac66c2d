// SPDX-License-Identifier: Apache-2.0
// A prefix sum in one launch: blocks take their numbers in order of arrival and look back at the
// sums of those before them.
#include "../check.h"

const int threads = 128;
enum { Empty = 0, Part = 1, Whole = 2 };

__device__ unsigned tickets;

__device__ void publish(unsigned long long* states, int at, unsigned long long flag, unsigned sum) {
  __threadfence();
  atomicExch(&states[at], flag << 32 | sum); // flag and sum travel together
}

__global__ void scan(const unsigned* in, unsigned* out, int n, unsigned long long* states) {
  __shared__ unsigned slots[threads], block, before;
  const int t = threadIdx.x;
  if (t == 0)
    block = atomicAdd(&tickets, 1u);
  __syncthreads();
  const int i = block * threads + t;
  unsigned sum = i < n ? in[i] : 0;
  slots[t] = sum;
  for (int offset = 1; offset < threads; offset *= 2) {
    __syncthreads();
    const unsigned other = t >= offset ? slots[t - offset] : 0;
    __syncthreads();
    slots[t] = sum += other;
  }
  __syncthreads();
  if (t == 0) {
    const unsigned mine = slots[threads - 1];
    publish(states, block, block == 0 ? Whole : Part, mine);
    unsigned sumBefore = 0;
    for (int at = int(block) - 1; at >= 0;) {
      const unsigned long long state = *(volatile unsigned long long*)&states[at];
      if (state >> 32 == Empty)
        continue; // not there yet: look again
      sumBefore += unsigned(state);
      if (state >> 32 == Whole)
        break;
      --at;
    }
    publish(states, block, Whole, sumBefore + mine);
    before = sumBefore;
  }
  __syncthreads();
  if (i < n)
    out[i] = before + sum;
}

int main() {
  const int n = 5000, blocks = (n + threads - 1) / threads;
  std::vector<unsigned> in(n), want(n);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    want[i] = sum += in[i] = unsigned(i) * 7919u % 1000u;
  DeviceArray<unsigned> device(in), out(n);
  DeviceArray<unsigned long long> states(std::vector<unsigned long long>(blocks, 0));
  scan<<<blocks, threads>>>(device, out, n, states);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t i) { return want[i]; });
  return finish();
}
