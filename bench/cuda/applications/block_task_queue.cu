// SPDX-License-Identifier: Apache-2.0
// Blocks that produce tasks and blocks that consume them, through an unbounded and a ring queue.
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(x)                                                                              \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("FAIL %s at line %d\n", cudaGetErrorString(e), __LINE__);                             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct Task {
  int id;
  unsigned seed;
  int length;
};

struct Counters {
  unsigned blockTicket;
  unsigned head;
  unsigned tail;
  unsigned nextTask;
};

const int RING = 64;

__host__ __device__ inline Task makeTask(int id, int round) {
  Task t;
  t.id = id;
  unsigned x = (unsigned)id * 0x9e3779b9u + (unsigned)round * 0x7f4a7c15u;
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  t.seed = x;
  t.length = 8 + (int)(x % 57u);
  return t;
}

// the work of one lane: steps of the Collatz sequence of some numbers
__host__ __device__ inline unsigned work(const Task& t, int lane) {
  unsigned sum = 0;
  for (int i = lane; i < t.length; i += 32) {
    unsigned v = (t.seed >> 12) + i + 1;
    unsigned steps = 0;
    while (v != 1u && steps < 40u) {
      v = (v & 1u) ? 3u * v + 1u : v >> 1;
      steps++;
    }
    sum += steps * (i + 1);
  }
  return sum;
}

__device__ inline void finishTask(const Task& t, unsigned* result) {
  unsigned sum = work(t, threadIdx.x & 31);
  sum = __reduce_add_sync(0xffffffffu, sum);
  if ((threadIdx.x & 31) == 0)
    result[t.id] = sum;
}

__global__ void resetQueue(Counters* c, unsigned* ready, int n, unsigned first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ready[i] = first * i; // 0 for flags, i for a ring's sequence numbers
  if (i == 0) {
    c->blockTicket = 0;
    c->head = 0;
    c->tail = 0;
    c->nextTask = 0;
  }
}

// The first blocks produce (a block's number is its ticket, so that they run when others wait).
__global__ void unboundedQueue(Counters* c, Task* slots, volatile unsigned* ready, int total,
                               int producers, int round, unsigned* result) {
  __shared__ unsigned number;
  if (threadIdx.x == 0)
    number = atomicAdd(&c->blockTicket, 1u);
  __syncthreads();
  if (number < producers) {
    for (;;) {
      int id = (int)atomicAdd(&c->nextTask, 1u);
      if (id >= total)
        break;
      unsigned at = atomicAdd(&c->tail, 1u);
      slots[at] = makeTask(id, round);
      __threadfence();
      ready[at] = 1;
    }
  } else {
    // every warp takes tasks
    for (;;) {
      unsigned at = 0;
      if ((threadIdx.x & 31) == 0)
        at = atomicAdd(&c->head, 1u);
      at = __shfl_sync(0xffffffffu, at, 0);
      if (at >= total)
        break;
      if ((threadIdx.x & 31) == 0)
        while (ready[at] == 0)
          __nanosleep(50);
      __syncwarp();
      __threadfence();
      Task t;
      t.id = ((volatile Task*)slots)[at].id;
      t.seed = ((volatile Task*)slots)[at].seed;
      t.length = ((volatile Task*)slots)[at].length;
      finishTask(t, result);
    }
  }
}

// A ring of few slots: every slot has the number of the ticket that may use it next.  Both sides
// wait, so that all blocks have to run at once: a cooperative launch.
__global__ void ringQueue(Counters* c, volatile Task* ring, volatile unsigned* sequence, int total,
                          int round, unsigned* result) {
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;
  bool producer = warp == 0 && blockIdx.x % 2 == 0;
  for (;;) {
    unsigned ticket = 0;
    if (lane == 0)
      ticket = atomicAdd(producer ? &c->tail : &c->head, 1u);
    ticket = __shfl_sync(0xffffffffu, ticket, 0);
    if (ticket >= total)
      break;
    unsigned slot = ticket % RING;
    if (producer) {
      if (lane == 0) {
        Task t = makeTask((int)ticket, round);
        while (sequence[slot] != ticket)
          __nanosleep(20);
        __threadfence();
        ring[slot].id = t.id;
        ring[slot].seed = t.seed;
        ring[slot].length = t.length;
        __threadfence();
        sequence[slot] = ticket + 1;
      }
      __syncwarp();
    } else {
      Task t = {0, 0, 0};
      if (lane == 0) {
        while (sequence[slot] != ticket + 1)
          __nanosleep(20);
        __threadfence();
        t.id = ring[slot].id;
        t.seed = ring[slot].seed;
        t.length = ring[slot].length;
        __threadfence();
        sequence[slot] = ticket + RING;
      }
      t.id = __shfl_sync(0xffffffffu, t.id, 0);
      t.seed = __shfl_sync(0xffffffffu, t.seed, 0);
      t.length = __shfl_sync(0xffffffffu, t.length, 0);
      finishTask(t, result);
    }
  }
}

__global__ void accumulate(const unsigned* result, unsigned long long* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = sums[i] * 3ull + result[i];
}

int main(int argc, char** argv) {
  int total = argc > 1 ? atoi(argv[1]) : 2000;
  int ringTotal = total / 2;
  Counters* counters;
  Task *slots, *ring;
  unsigned *ready, *sequence, *result;
  unsigned long long* sums;
  CHECK_CUDA(cudaMalloc(&counters, sizeof(Counters)));
  CHECK_CUDA(cudaMalloc(&slots, total * sizeof(Task)));
  CHECK_CUDA(cudaMalloc(&ready, total * sizeof(unsigned)));
  CHECK_CUDA(cudaMalloc(&ring, RING * sizeof(Task)));
  CHECK_CUDA(cudaMalloc(&sequence, RING * sizeof(unsigned)));
  CHECK_CUDA(cudaMalloc(&result, total * sizeof(unsigned)));
  CHECK_CUDA(cudaMalloc(&sums, total * sizeof(unsigned long long)));
  CHECK_CUDA(cudaMemset(sums, 0, total * sizeof(unsigned long long)));

  int device = 0, sms = 0, perSm = 0;
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, ringQueue, 128, 0));
  int ringBlocks = std::min(sms * perSm, 64);
  int producers = 4, blocks = 100;
  for (int round = 0; round < 4; round++) {
    int now = round % 2 ? ringTotal : total;
    if (round % 2 == 0) {
      resetQueue<<<(total + 255) / 256, 256>>>(counters, ready, total, 0);
      unboundedQueue<<<blocks, 128>>>(counters, slots, ready, total, producers, round, result);
    } else {
      resetQueue<<<1, RING>>>(counters, sequence, RING, 1);
      void* args[] = {&counters, &ring, &sequence, &ringTotal, &round, &result};
      CHECK_CUDA(cudaLaunchCooperativeKernel((void*)ringQueue, dim3(ringBlocks), dim3(128), args));
    }
    accumulate<<<(now + 127) / 128, 128>>>(result, sums, now);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<unsigned long long> got(total);
  CHECK_CUDA(
      cudaMemcpy(got.data(), sums, total * sizeof(unsigned long long), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < total; i++) {
    unsigned long long want = 0;
    for (int round = 0; round < 4; round++) {
      if (round % 2 && i >= ringTotal)
        continue;
      Task t = makeTask(i, round);
      unsigned sum = 0;
      for (int lane = 0; lane < 32; lane++)
        sum += work(t, lane);
      want = want * 3ull + sum;
    }
    wrong += want != got[i];
  }
  if (wrong) {
    printf("FAIL %d tasks\n", wrong);
    return 1;
  }
  printf("%d tasks in the queue, %d in the ring\nPASS\n", total, ringTotal);
  return 0;
}
