// SPDX-License-Identifier: Apache-2.0
// COVERS: device assert
// Assertions of the device that hold: a queue checked by invariants at each step.
#include <cassert>
#include <cstdio>
#include <cstdlib>

template <typename T, int CAPACITY> class Ring {
public:
  __device__ void push(const T& v) {
    assert(size_ < CAPACITY && "room is left");
    slots_[(head_ + size_++) % CAPACITY] = v;
    assert(size_ > 0 && size_ <= CAPACITY);
  }
  __device__ T pop() {
    assert(size_ > 0);
    T v = slots_[head_];
    head_ = (head_ + 1) % CAPACITY;
    --size_;
    return v;
  }
  __device__ int size() const { return size_; }

private:
  T slots_[CAPACITY];
  int head_ = 0, size_ = 0;
};

__global__ void simulate(int steps, int* sums) {
  Ring<int, 8> ring;
  int sum = 0, next = threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    if (ring.size() < 8 && s % 3 != 2)
      ring.push(next++);
    else if (ring.size() > 0)
      sum += ring.pop();
  }
  while (ring.size())
    sum += ring.pop();
  assert(ring.size() == 0);
  sums[threadIdx.x] = sum;
  sums[threadIdx.x + 64] = next - threadIdx.x;
}

int main(int argc, char** argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 40, *sums;
  if (cudaMallocManaged(&sums, 128 * sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  simulate<<<1, 64>>>(steps, sums);
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess;
  for (int t = 0; t < 64 && ok; ++t) {
    int n = sums[t + 64];
    ok = n > 0 && sums[t] == n * t + n * (n - 1) / 2;
  }
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(sums);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
