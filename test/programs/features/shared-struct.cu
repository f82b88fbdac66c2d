// SPDX-License-Identifier: Apache-2.0
// A struct with member functions in shared memory, handed to functions by generic pointer: a small
// queue and a stack of a block.
#include "../check.h"

struct Queue {
  int items[64];
  int head, tail;
  __device__ void clear() { head = tail = 0; }
  __device__ void push(int x) { items[atomicAdd(&tail, 1) % 64] = x; }
  __device__ int pop() { return items[atomicAdd(&head, 1) % 64]; }
};

struct Pair {
  double weight;
  char tag;
  int2 place;
};

__device__ __noinline__ void tally(int* anywhere, int amount) {
  atomicAdd(anywhere, amount);
}

__global__ void run(int* sums, Pair* pairs, int* global) {
  __shared__ Queue queue;
  __shared__ Pair shared[64];
  __shared__ int sum;
  const int t = threadIdx.x;
  if (t == 0) {
    queue.clear();
    sum = 0;
  }
  __syncthreads();
  queue.push(t * t);
  shared[t] = Pair{t * 1.5, char(t), make_int2(t, -t)};
  __syncthreads();
  const int got = queue.pop();
  tally(t % 2 ? &sum : global, got); // shared for some lanes, global for the others
  tally(&sum, got);
  __syncthreads();
  pairs[t] = shared[63 - t];
  sums[t] = sum;
}

int main() {
  DeviceArray<int> sums(64), global(std::vector<int>(1, 0));
  DeviceArray<Pair> pairs(64);
  run<<<1, 64>>>(sums, pairs, global);
  CHECK_LAUNCH();
  const int all = 63 * 64 * 127 / 6; // 0 + 1 + 4 + ... + 63 * 63
  const int sum = sums.read()[0], outside = global.read()[0];
  expectEqual("sum in shared and in global memory", sum + outside, 2 * all);
  expectTrue("some went to each", outside > 0 && sum > all);
  expectArray("sums", sums.read(), [=](size_t) { return sum; });
  const std::vector<Pair> got = pairs.read();
  for (int t = 0; t < 64; ++t)
    expectTrue("pair", got[t].weight == (63 - t) * 1.5 && got[t].tag == 63 - t &&
                           got[t].place.x == 63 - t && got[t].place.y == t - 63);
  return finish();
}
