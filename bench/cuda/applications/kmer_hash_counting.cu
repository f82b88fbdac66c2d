// SPDX-License-Identifier: Apache-2.0
// Counts canonical k-mers of sequencing reads in an open-addressing hash table and computes their
// abundance spectrum.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#define K 21
#define READ_LEN 80
#define KMERS_PER_READ (READ_LEN - K + 1)
#define SPECTRUM 64
#define EMPTY 0xffffffffffffffffULL

#define CUDA_OK(e)                                                                                 \
  do {                                                                                             \
    cudaError_t s_ = (e);                                                                          \
    if (s_ != cudaSuccess) {                                                                       \
      printf("FAIL %s -> %s\n", #e, cudaGetErrorString(s_));                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

typedef unsigned long long ull;

struct HashTable {
  ull* keys;
  uint32_t* counts;
  uint32_t mask;
};

__host__ __device__ __forceinline__ ull murmur64(ull x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return x;
}

__host__ __device__ __forceinline__ int encode(char c) {
  switch (c) {
  case 'A':
    return 0;
  case 'C':
    return 1;
  case 'G':
    return 2;
  case 'T':
    return 3;
  }
  return -1;
}

__global__ void clear_table(HashTable t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= t.mask) {
    t.keys[i] = EMPTY;
    t.counts[i] = 0;
  }
}

__device__ void insert(HashTable t, ull kmer, uint32_t add) {
  uint32_t slot = (uint32_t)murmur64(kmer) & t.mask;
  for (;;) {
    ull old = t.keys[slot];
    if (old != kmer) {
      if (old == EMPTY)
        old = atomicCAS(&t.keys[slot], EMPTY, kmer);
      if (old != EMPTY && old != kmer) {
        slot = (slot + 1) & t.mask;
        continue;
      }
    }
    atomicAdd(&t.counts[slot], add);
    return;
  }
}

// a thread rolls through one read
__global__ void count_by_read(const char* __restrict__ reads, int n, HashTable t, int* skipped) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  const char* s = reads + (size_t)r * READ_LEN;
  const ull mask = (1ULL << (2 * K)) - 1;
  ull fwd = 0, rev = 0;
  int valid = 0;
  for (int i = 0; i < READ_LEN; i++) {
    int c = encode(s[i]);
    if (c < 0) {
      valid = 0;
      atomicAdd(skipped, 1);
      continue;
    }
    fwd = ((fwd << 2) | c) & mask;
    rev = (rev >> 2) | ((ull)(3 - c) << (2 * (K - 1)));
    if (++valid >= K)
      insert(t, fwd < rev ? fwd : rev, 1);
  }
}

// a block stages reads in shared memory, a thread builds each k-mer from scratch
__global__ void count_by_kmer(const char* __restrict__ reads, int n, HashTable t) {
  __shared__ char stage[4][READ_LEN];
  int first = blockIdx.x * 4;
  for (int i = threadIdx.x; i < 4 * READ_LEN; i += blockDim.x) {
    int r = first + i / READ_LEN;
    stage[i / READ_LEN][i % READ_LEN] = r < n ? reads[(size_t)first * READ_LEN + i] : 'N';
  }
  __syncthreads();
  for (int w = threadIdx.x; w < 4 * KMERS_PER_READ; w += blockDim.x) {
    const char* s = stage[w / KMERS_PER_READ] + w % KMERS_PER_READ;
    ull fwd = 0, rev = 0;
    bool fine = true;
    for (int i = 0; i < K; i++) {
      int c = encode(s[i]);
      if (c < 0) {
        fine = false;
        break;
      }
      fwd = (fwd << 2) | c;
      rev |= (ull)(3 - c) << (2 * i);
    }
    if (fine)
      insert(t, min(fwd, rev), 1);
  }
}

__global__ void spectrum(HashTable t, uint32_t* hist, uint32_t* distinct) {
  __shared__ uint32_t h[SPECTRUM];
  __shared__ uint32_t used;
  for (int i = threadIdx.x; i < SPECTRUM; i += blockDim.x)
    h[i] = 0;
  if (threadIdx.x == 0)
    used = 0;
  __syncthreads();
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= t.mask;
       i += gridDim.x * blockDim.x) {
    if (t.keys[i] == EMPTY)
      continue;
    uint32_t c = t.counts[i];
    atomicAdd(&h[c < SPECTRUM ? c : SPECTRUM - 1], 1u);
    atomicAdd(&used, 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SPECTRUM; i += blockDim.x)
    if (h[i])
      atomicAdd(&hist[i], h[i]);
  if (threadIdx.x == 0)
    atomicAdd(distinct, used);
}

// marks the reads whose weakest k-mer was seen only once: they hold an error
__global__ void weak_reads(const char* reads, int n, HashTable t, int* weakest) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  const ull mask = (1ULL << (2 * K)) - 1;
  ull fwd = 0, rev = 0;
  int valid = 0, low = 1 << 30;
  for (int i = 0; i < READ_LEN; i++) {
    int c = encode(reads[(size_t)r * READ_LEN + i]);
    if (c < 0) {
      valid = 0;
      continue;
    }
    fwd = ((fwd << 2) | c) & mask;
    rev = (rev >> 2) | ((ull)(3 - c) << (2 * (K - 1)));
    if (++valid < K)
      continue;
    ull key = fwd < rev ? fwd : rev;
    uint32_t slot = (uint32_t)murmur64(key) & t.mask;
    while (t.keys[slot] != key)
      slot = (slot + 1) & t.mask;
    low = min(low, (int)t.counts[slot]);
  }
  weakest[r] = low;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  // a genome about a tenth as long as all reads together, reads from both of its strands
  int genome_len = std::max(2000, n * READ_LEN / 10);
  uint64_t s = 88172645463325252ULL;
  auto rnd = [&]() {
    s ^= s << 7;
    s ^= s >> 9;
    return (uint32_t)(s >> 16);
  };
  std::vector<char> genome(genome_len), reads((size_t)n * READ_LEN);
  for (auto& c : genome)
    c = "ACGT"[rnd() & 3];
  int masked = 0;
  for (int r = 0; r < n; r++) {
    int pos = rnd() % (genome_len - READ_LEN);
    bool back = rnd() & 1;
    for (int i = 0; i < READ_LEN; i++) {
      char c = genome[back ? pos + READ_LEN - 1 - i : pos + i];
      if (back)
        c = "TGCA"[encode(c)];
      uint32_t e = rnd() % 500;
      if (e == 0)
        c = "ACGT"[rnd() & 3];
      if (e == 1) {
        c = 'N';
        masked++;
      }
      reads[(size_t)r * READ_LEN + i] = c;
    }
  }

  uint32_t slots = 1024;
  while (slots < (uint32_t)(n * 24))
    slots *= 2;
  HashTable t;
  t.mask = slots - 1;
  char* d_reads;
  uint32_t *d_hist, *d_distinct;
  int *d_weak, *d_skipped;
  CUDA_OK(cudaMalloc(&t.keys, slots * sizeof(ull)));
  CUDA_OK(cudaMalloc(&t.counts, slots * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&d_reads, reads.size()));
  CUDA_OK(cudaMalloc(&d_hist, SPECTRUM * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&d_distinct, sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&d_weak, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&d_skipped, sizeof(int)));
  CUDA_OK(cudaMemcpy(d_reads, reads.data(), reads.size(), cudaMemcpyHostToDevice));

  std::vector<uint32_t> hist[2];
  uint32_t distinct[2];
  int skipped = 0;
  for (int variant = 0; variant < 2; variant++) {
    CUDA_OK(cudaMemset(d_hist, 0, SPECTRUM * sizeof(uint32_t)));
    CUDA_OK(cudaMemset(d_distinct, 0, sizeof(uint32_t)));
    CUDA_OK(cudaMemset(d_skipped, 0, sizeof(int)));
    clear_table<<<slots / 256, 256>>>(t);
    if (variant == 0)
      count_by_kmer<<<(n + 3) / 4, 128>>>(d_reads, n, t);
    else
      count_by_read<<<(n + 127) / 128, 128>>>(d_reads, n, t, d_skipped);
    spectrum<<<128, 256>>>(t, d_hist, d_distinct);
    hist[variant].resize(SPECTRUM);
    CUDA_OK(cudaMemcpy(hist[variant].data(), d_hist, SPECTRUM * 4, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(&distinct[variant], d_distinct, 4, cudaMemcpyDeviceToHost));
  }
  CUDA_OK(cudaMemcpy(&skipped, d_skipped, sizeof(int), cudaMemcpyDeviceToHost));
  weak_reads<<<(n + 127) / 128, 128>>>(d_reads, n, t, d_weak);
  std::vector<int> weak(n);
  CUDA_OK(cudaMemcpy(weak.data(), d_weak, n * sizeof(int), cudaMemcpyDeviceToHost));

  std::unordered_map<ull, uint32_t> ref;
  ref.reserve(slots);
  std::vector<ull> of_read;
  std::vector<int> ref_weak(n, 1 << 30);
  for (int pass = 0; pass < 2; pass++)
    for (int r = 0; r < n; r++) {
      ull fwd = 0, rev = 0;
      int valid = 0;
      for (int i = 0; i < READ_LEN; i++) {
        int c = encode(reads[(size_t)r * READ_LEN + i]);
        valid = c < 0 ? 0 : valid + 1;
        if (c < 0)
          continue;
        fwd = ((fwd << 2) | c) & ((1ULL << (2 * K)) - 1);
        rev = (rev >> 2) | ((ull)(3 - c) << (2 * (K - 1)));
        if (valid < K)
          continue;
        uint32_t& count = ref[std::min(fwd, rev)];
        if (pass == 0)
          count++;
        else
          ref_weak[r] = std::min(ref_weak[r], (int)count);
      }
    }
  std::vector<uint32_t> ref_hist(SPECTRUM, 0);
  for (auto& kv : ref)
    ref_hist[std::min<uint32_t>(kv.second, SPECTRUM - 1)]++;
  bool good = ref_hist == hist[0] && ref_hist == hist[1] && distinct[0] == ref.size() &&
              distinct[1] == ref.size() && weak == ref_weak && skipped == masked;
  printf("%u distinct k-mers, %u seen once\n", distinct[0], hist[0][1]);
  printf(good ? "PASS\n" : "FAIL spectrum or weak reads differ\n");
  return good ? 0 : 1;
}
