// SPDX-License-Identifier: Apache-2.0
// Threads that return early, from the kernel or from a function that is part of it, in front of a
// barrier. All returns of a kernel lead to one place when it has been optimised, and what they have
// in common may have moved there: nobody waits there for those at the barrier.
#include "../check.h"

constexpr int threads = 128;

__device__ bool load(const int* in, int i, int n, int& value) {
  if (i >= n)
    return false;
  value = in[i];
  return true;
}

// A function says who has nothing to do.
__global__ void askFirst(const int* in, int* out, int n) {
  __shared__ int tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  int value;
  if (!load(in, i, n, value))
    return;
  tile[threadIdx.x] = value;
  __syncthreads();
  out[i] = tile[threadIdx.x & ~1];
}

// Both ways out write to the same place: LLVM makes one store of the two.
__global__ void writeAnyway(const int* in, int* out, int n) {
  __shared__ int tile[threads];
  const int i = threadIdx.x;
  if (i >= n) {
    out[i] = -1;
    return;
  }
  tile[i] = in[i];
  __syncthreads();
  int sum = tile[i & ~1];
  __syncthreads();
  tile[i] = sum;
  __syncthreads();
  sum += tile[0];
  out[i] = sum;
}

template <class Work> __device__ void handIn(int count, Work work) {
  if (int(threadIdx.x) >= count)
    return;
  work(threadIdx.x);
  __syncthreads();
  work(threadIdx.x + threads);
}

// The last thing of the kernel is a function that some leave early.
__global__ void leaveFunction(const int* in, int* out, int count) {
  handIn(count, [&](int i) { out[i] = in[i]; });
}

// In a branch that whole warps take; the others are done.
__global__ void someWarps(const int* in, int* out, int warps, int count) {
  __shared__ int tile[threads];
  const int i = threadIdx.x;
  if (i / 32 < warps) {
    const auto keep = [&](int at) {
      if (at >= count)
        return;
      tile[at] = in[at];
    };
    keep(i);
    if (i >= count)
      return;
    __syncthreads();
    out[i] = tile[i & ~1];
  }
}

// A lambda that some leave early; all come to the barrier behind it.
__global__ void leaveLambda(const int* in, int* out, int count) {
  __shared__ int tile[threads];
  const auto hand = [&](int i) {
    if (i >= count) {
      tile[i] = -1;
      return;
    }
    int value = in[i];
    for (int k = 0; k < i % 5; ++k)
      value = value * 3 + 1;
    tile[i] = value;
  };
  hand(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Rounds, from which threads return in a different one each, and in two ways.
__global__ void rounds(int* out) {
  __shared__ int tile[threads];
  const int i = threadIdx.x;
  for (int round = 0; round < 8; ++round) {
    if (round > i % 7) {
      out[i] = round;
      return;
    }
    tile[i] = round;
    __syncthreads();
    if (tile[i] == 3 && i % 2 == 1) {
      out[i] = -round;
      return;
    }
    __syncthreads();
  }
  out[i] = 100;
}

// A search of each thread by itself, which it leaves by returning.
__device__ int find(const int* in, int i) {
  for (int k = 0; k < 32; ++k)
    if (in[(i + k) % threads] % 11 == 0)
      return k;
  return -1;
}

__global__ void searchAndMeet(const int* in, int* out, int n) {
  __shared__ int tile[threads];
  const int i = threadIdx.x;
  const int found = find(in, i);
  if (found > 4 || i >= n)
    return;
  tile[i] = found;
  if (i / 32 != 1) {
    __syncthreads();
    out[i] = tile[i];
  } else {
    out[i] = 50;
  }
}

int main() {
  std::vector<int> values(2 * threads);
  for (int i = 0; i < 2 * threads; ++i)
    values[i] = i * 7 % 64;
  DeviceArray<int> in(values);
  constexpr int most = 2 * threads;
  const auto check = [&](const char* name, auto launch, auto expected) {
    DeviceArray<int> out(most);
    CHECK_CUDA(cudaMemset(out, 0, most * sizeof(int)));
    launch(out);
    CHECK_LAUNCH();
    expectArray(name, out.read(), expected);
  };
  check(
      "askFirst", [&](int* out) { askFirst<<<2, threads>>>(in, out, 202); },
      [&](size_t i) { return i < 202 ? values[i & ~size_t{1}] : 0; });
  check(
      "writeAnyway", [&](int* out) { writeAnyway<<<1, threads>>>(in, out, 50); },
      [&](size_t i) {
        return i >= threads ? 0 : i < 50 ? values[i & ~size_t{1}] + values[0] : -1;
      });
  check(
      "leaveFunction", [&](int* out) { leaveFunction<<<1, threads>>>(in, out, 70); },
      [&](size_t i) { return i % threads < 70 ? values[i] : 0; });
  check(
      "someWarps", [&](int* out) { someWarps<<<1, threads>>>(in, out, 2, 50); },
      [&](size_t i) { return i < 50 ? values[i & ~size_t{1}] : 0; });
  check(
      "leaveLambda", [&](int* out) { leaveLambda<<<1, threads>>>(in, out, 75); },
      [&](size_t i) {
        if (i >= threads)
          return 0;
        const int other = int(i) ^ 1;
        int value = other < 75 ? values[other] : -1;
        for (int k = 0; other < 75 && k < other % 5; ++k)
          value = value * 3 + 1;
        return value;
      });
  check(
      "rounds", [&](int* out) { rounds<<<1, threads>>>(out); },
      [&](size_t i) {
        if (i >= threads)
          return 0;
        const int turns = int(i % 7) + 1;
        return i % 2 == 1 && turns > 3 ? -3 : turns;
      });
  check(
      "searchAndMeet", [&](int* out) { searchAndMeet<<<1, threads>>>(in, out, 120); },
      [&](size_t i) {
        int found = -1;
        for (int k = 0; k < 32 && found < 0; ++k)
          if (values[(i + k) % threads] % 11 == 0)
            found = k;
        if (i >= 120 || found > 4)
          return 0;
        return i / 32 == 1 ? 50 : found;
      });
  return finish();
}
