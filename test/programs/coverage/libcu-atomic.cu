// SPDX-License-Identifier: Apache-2.0
// COVERS: cuda::atomic, cuda::atomic_ref, libcu++
// A histogram by atomic_ref, a lock and a maximum by cuda::atomic, message passing by acquire and
// release.
#include <cstdio>
#include <cstdlib>

#include <cuda/atomic>

using Device = cuda::atomic<int, cuda::thread_scope_device>;

struct Shared {
  Device lock, most, ready;
  int guarded, message;
};

__global__ void init(Shared* s) {
  s->lock.store(0);
  s->most.store(0);
  s->ready.store(0);
  s->guarded = 0;
}

__global__ void work(const int* data, int n, int* bins, Shared* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[data[i] % 8]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
    s->most.fetch_max(data[i], cuda::memory_order_relaxed);
  }
  if (threadIdx.x == 0) { // one of each block: a lock
    int expected = 0;
    while (!s->lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire))
      expected = 0;
    s->guarded += (int)blockIdx.x + 1;
    s->lock.store(0, cuda::memory_order_release);
  }
}

// Block 0 sends, block 1 waits; both fit on any device.
__global__ void message(Shared* s, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    s->message = 4711;
    s->ready.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (s->ready.load(cuda::memory_order_acquire) == 0) {
    }
    *out = s->message;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, blocks = (n + 127) / 128, most = 0;
  int *data, *bins, want[8] = {};
  Shared* s;
  if (cudaMallocManaged(&data, n * 4) || cudaMallocManaged(&bins, 9 * 4) ||
      cudaMallocManaged(&s, sizeof(Shared)))
    return puts("FAIL"), 1;
  for (int i = 0; i < 9; ++i)
    bins[i] = 0;
  for (int i = 0; i < n; ++i) {
    data[i] = i * 7919 % 4001;
    ++want[data[i] % 8];
    most = data[i] > most ? data[i] : most;
  }
  init<<<1, 1>>>(s);
  work<<<blocks, 128>>>(data, n, bins, s);
  message<<<2, 32>>>(s, bins + 8);
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess && s->most.load() == most && s->guarded == blocks * (blocks + 1) / 2 &&
            bins[8] == 4711;
  for (int i = 0; i < 8; ++i)
    ok = ok && bins[i] == want[i];
  printf("%s: most %d, guarded %d, message %d\n", cudaGetErrorString(e), s->most.load(), s->guarded,
         bins[8]);
  cudaFree(data), cudaFree(bins), cudaFree(s);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
