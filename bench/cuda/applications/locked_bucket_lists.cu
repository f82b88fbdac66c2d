// SPDX-License-Identifier: Apache-2.0
// Sorted linked lists in buckets under spin locks: insertion, addition, removal and search.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

static void check(cudaError_t e) {
  if (e != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(e));
    exit(1);
  }
}

struct Node {
  int key;
  int value;
  int next;
};

class Lock {
  int* held;

public:
  __device__ explicit Lock(int* where) : held(where) {}
  __device__ bool tryAcquire() {
    if (atomicCAS(held, 0, 1) != 0)
      return false;
    __threadfence();
    return true;
  }
  __device__ void release() {
    __threadfence();
    atomicExch(held, 0);
  }
};

struct Lists {
  volatile Node* nodes; // node i belongs to input element i
  volatile int* heads;
  int* locks;
  int buckets;
};

__host__ __device__ inline int bucketOf(int key, int buckets) {
  unsigned h = (unsigned)key * 2654435769u;
  return (int)((h >> 7) % (unsigned)buckets);
}

__global__ void clear(Lists l) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < l.buckets) {
    l.heads[b] = -1;
    l.locks[b] = 0;
  }
}

__global__ void insertOrAdd(Lists l, const int* keys, const int* values, int first, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  int me = first + t;
  int key = keys[me];
  int b = bucketOf(key, l.buckets);
  Lock lock(&l.locks[b]);
  bool done = false;
  while (!done) {
    if (lock.tryAcquire()) {
      int before = -1, at = l.heads[b];
      while (at >= 0 && l.nodes[at].key < key) {
        before = at;
        at = l.nodes[at].next;
      }
      if (at >= 0 && l.nodes[at].key == key) {
        l.nodes[at].value = l.nodes[at].value + values[me];
      } else {
        l.nodes[me].key = key;
        l.nodes[me].value = values[me];
        l.nodes[me].next = at;
        if (before < 0)
          l.heads[b] = me;
        else
          l.nodes[before].next = me;
      }
      lock.release();
      done = true;
    }
  }
}

__global__ void removeKeys(Lists l, const int* keys, int count, int* removed) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  int key = keys[t];
  int b = bucketOf(key, l.buckets);
  Lock lock(&l.locks[b]);
  for (bool done = false; !done;) {
    if (lock.tryAcquire()) {
      int before = -1, at = l.heads[b];
      while (at >= 0 && l.nodes[at].key < key) {
        before = at;
        at = l.nodes[at].next;
      }
      if (at >= 0 && l.nodes[at].key == key) {
        int next = l.nodes[at].next;
        if (before < 0)
          l.heads[b] = next;
        else
          l.nodes[before].next = next;
        atomicAdd(removed, 1);
      }
      lock.release();
      done = true;
    }
  }
}

// nobody changes the lists meanwhile: no locks
__global__ void find(Lists l, const int* keys, int count, int* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  int key = keys[t];
  int at = l.heads[bucketOf(key, l.buckets)];
  while (at >= 0 && l.nodes[at].key < key)
    at = l.nodes[at].next;
  out[t] = at >= 0 && l.nodes[at].key == key ? l.nodes[at].value : -1;
}

__global__ void measure(Lists l, int* length, int* disorder) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= l.buckets)
    return;
  int n = 0, last = -1;
  for (int at = l.heads[b]; at >= 0; at = l.nodes[at].next) {
    if (l.nodes[at].key <= last || bucketOf(l.nodes[at].key, l.buckets) != b)
      atomicAdd(disorder, 1);
    last = l.nodes[at].key;
    ++n;
  }
  length[b] = n;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12000;
  int buckets = n / 6 + 1;
  std::vector<int> keys(n), values(n), gone(n / 4);
  unsigned s = 3u;
  for (int i = 0; i < n; ++i) {
    s = s * 1103515245u + 12345u;
    keys[i] = (int)((s >> 8) % (unsigned)(2 * n));
    s = s * 1103515245u + 12345u;
    values[i] = (int)((s >> 8) % 1000u);
  }
  for (int i = 0; i < n / 4; ++i)
    gone[i] = keys[i * 3];

  Lists l;
  l.buckets = buckets;
  Node* nodes;
  int *heads, *dKeys, *dValues, *dGone, *dOut, *dLength, *dCounters;
  check(cudaMalloc(&nodes, n * sizeof(Node)));
  check(cudaMalloc(&heads, buckets * sizeof(int)));
  check(cudaMalloc(&l.locks, buckets * sizeof(int)));
  check(cudaMalloc(&dKeys, n * sizeof(int)));
  check(cudaMalloc(&dValues, n * sizeof(int)));
  check(cudaMalloc(&dGone, (n / 4) * sizeof(int)));
  check(cudaMalloc(&dOut, n * sizeof(int)));
  check(cudaMalloc(&dLength, buckets * sizeof(int)));
  check(cudaMalloc(&dCounters, 2 * sizeof(int)));
  check(cudaMemset(dCounters, 0, 2 * sizeof(int)));
  check(cudaMemcpy(dKeys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dValues, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dGone, gone.data(), (n / 4) * sizeof(int), cudaMemcpyHostToDevice));
  l.nodes = nodes;
  l.heads = heads;

  clear<<<(buckets + 127) / 128, 128>>>(l);
  const int parts = 3;
  int part = (n + parts - 1) / parts;
  std::map<int, int> want;
  int wantRemoved = 0;
  for (int p = 0; p < parts; ++p) {
    int first = p * part, count = first + part > n ? n - first : part;
    insertOrAdd<<<(count + 63) / 64, 64>>>(l, dKeys, dValues, first, count);
    for (int i = first; i < first + count; ++i)
      want[keys[i]] += values[i];
    if (p == 1) {
      removeKeys<<<(n / 4 + 63) / 64, 64>>>(l, dGone, n / 4, dCounters);
      for (int k : gone)
        wantRemoved += (int)want.erase(k);
    }
    find<<<(n + 255) / 256, 256>>>(l, dKeys, n, dOut);
  }
  measure<<<(buckets + 63) / 64, 64>>>(l, dLength, dCounters + 1);
  check(cudaDeviceSynchronize());

  std::vector<int> out(n), length(buckets);
  int counters[2];
  check(cudaMemcpy(out.data(), dOut, n * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(length.data(), dLength, buckets * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(counters, dCounters, sizeof counters, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    auto it = want.find(keys[i]);
    wrong += out[i] != (it == want.end() ? -1 : it->second);
  }
  std::vector<int> wantLength(buckets, 0);
  for (auto& kv : want)
    ++wantLength[bucketOf(kv.first, buckets)];
  int longest = 0;
  for (int b = 0; b < buckets; ++b) {
    wrong += length[b] != wantLength[b];
    longest = length[b] > longest ? length[b] : longest;
  }
  printf("%zu keys, %d removed, longest list %d\n", want.size(), counters[0], longest);
  if (wrong || counters[1] || counters[0] != wantRemoved) {
    printf("FAIL %d wrong, %d out of order, %d should be removed\n", wrong, counters[1],
           wantRemoved);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
