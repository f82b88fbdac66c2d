// RUN: %heddle fix %s --only regroup --line 32 --block 64,4,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run %s | grep result: > %t.before
// RUN: %heddle run %t.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
#include <cstdio>

struct Particle {
  float x, v;
  int hits;
};

__device__ int advance(Particle* p, float dt) {
  p->x += p->v * dt;
  return p->x > 1.0f;
}

// A block-wide exchange through shared memory around and behind a loop that diverges, inside a loop of steps
// that all threads run.
__global__ void steps(Particle* particles, float* sums, int count, int rounds) {
  __shared__ float tile[256];
  __shared__ int most;
  const unsigned thread = threadIdx.x + threadIdx.y * blockDim.x;
  Particle p = particles[blockIdx.x * 256 + thread];
  const float dt = 1.0f / count;
  for (int round = 0; round < rounds; ++round) {
    int left = p.hits % 7 + round;
    const int first = left;
    float* const own = &tile[thread];
    do {
      if (advance(&p, dt)) {
        p.v = -p.v * 0.9f;
        p.x = 2.0f - p.x;
        ++p.hits;
      } else {
        for (int k = 0; k < (p.hits & 3) + 1; ++k)
          p.v += dt * sinf(p.x);
        --left;
      }
    } while (left > 0);
    *own = p.x + first;
    if (thread == 0)
      most = 0;
    __syncthreads();
    atomicMax(&most, p.hits);
    p.v += 0.01f * tile[(thread + 17) % 256];
    __syncthreads();
    p.hits += most & 1;
    __syncthreads();
  }
  particles[blockIdx.x * 256 + thread] = p;
  sums[blockIdx.x * 256 + thread] = p.x * p.v;
}

int main() {
  const int blocks = 12, n = blocks * 256;
  Particle* particles;
  float* sums;
  cudaMallocManaged(&particles, n * sizeof(Particle));
  cudaMallocManaged(&sums, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    particles[i] = {(i * 37 % 101) / 101.0f, (i * 13 % 29) / 7.0f - 2, i * 7 % 23};
  steps<<<blocks, dim3(64, 4)>>>(particles, sums, 8, 6);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned hash = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    __builtin_memcpy(&bits, &sums[i], 4);
    hash = hash * 31 + bits;
    __builtin_memcpy(&bits, &particles[i].v, 4);
    hash = hash * 31 + bits + particles[i].hits;
    sum += sums[i];
  }
  printf("result: %08x %g\n", hash, sum);
}

// CHECK: -  const unsigned thread = threadIdx.x + threadIdx.y * blockDim.x;
// CHECK-NEXT: +  unsigned thread = threadIdx.x + threadIdx.y * blockDim.x;
// CHECK: +    int first = left;
// CHECK-NEXT: +    float* own = &tile[thread];
// CHECK-NEXT: +    assert(blockDim.x * blockDim.y * blockDim.z == 256);
// CHECK-NEXT: +    struct State { unsigned thread; Particle p; int left; int first; float *own; };
// CHECK-NEXT: +    State state{thread, p, left, first, own};
// CHECK-NEXT: +    heddle::regrouped_loop<256, 2, State>(
// CHECK-NEXT: +        state,
// CHECK-NEXT: +        [&](State& state) {
// CHECK-NEXT: +          auto& [thread, p, left, first, own] = state;
// CHECK-NEXT: +          return advance(&p, dt) ? 0 : 1;
// CHECK-NEXT: +        },
// CHECK: +    thread = state.thread;
// CHECK-NEXT: +    p = state.p;
// CHECK-NEXT: +    first = state.first;
// CHECK-NEXT: +    own = state.own;
// CHECK-NEXT: *own = p.x + first;
