// SPDX-License-Identifier: Apache-2.0
// Answers conjunctive and range queries on a bitmap index whose 64 attribute words lie interleaved
// per row group, by popcounts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using word = std::uint64_t;

constexpr int ATTRS = 64; // bitmaps: words of one row group lie next to each other
constexpr int ROWS = 64;  // rows in a group, one bit each
constexpr int SLICES = 8; // bit slices of a value column at bitmaps 48..55
constexpr int FIRST_SLICE = 48;
constexpr int QUERIES = 12;

#define CK(x)                                                                                      \
  if ((x) != cudaSuccess) {                                                                        \
    std::printf("FAIL %s line %d\n", cudaGetErrorString(cudaGetLastError()), __LINE__);            \
    std::exit(1);                                                                                  \
  }

struct Query {
  int any[3]; // at least one of these bitmaps (-1: unused)
  int all[2]; // both of these
  int none;   // not this one
};

struct Row {
  word flags; // bit a: attribute a (below 48)
  std::uint8_t value;
};

__host__ __device__ inline Row makeRow(std::uint32_t r) {
  word h = r * 0x9E3779B97F4A7C15ull;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93ull;
  h ^= h >> 32;
  word h2 = h * 0xD6E8FEB86659FD93ull;
  h2 ^= h2 >> 29;
  Row row;
  row.flags = (h & (h2 | 0x5555555555ull)) & ((1ull << 48) - 1);
  row.value = (std::uint8_t)(h2 >> 48);
  return row;
}

// builds the index with ballots: a warp takes 32 rows and half a word
__global__ void buildIndex(std::uint32_t* index, int groups) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (warp >= groups * 2)
    return;
  Row row = makeRow(warp * 32 + lane);
  for (int a = 0; a < ATTRS; ++a) {
    bool bit = false;
    if (a < 48)
      bit = row.flags >> a & 1;
    else if (a < FIRST_SLICE + SLICES)
      bit = row.value >> (a - FIRST_SLICE) & 1;
    std::uint32_t b = __ballot_sync(0xffffffffu, bit);
    if (lane == 0)
      index[((warp >> 1) * ATTRS + a) * 2 + (warp & 1)] = b;
  }
}

// one attribute: every thread reads one word in 64
__global__ void countAttribute(const word* index, int attr, int groups, unsigned* count) {
  unsigned c = 0;
  for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups; g += gridDim.x * blockDim.x)
    c += __popcll(index[(size_t)g * ATTRS + attr]);
  c = __reduce_add_sync(0xffffffffu, c);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(count, c);
}

__device__ inline word evaluate(const word* w, const Query& q) {
  word any = 0;
  for (int k = 0; k < 3; ++k)
    if (q.any[k] >= 0)
      any |= w[q.any[k]];
  return any & w[q.all[0]] & w[q.all[1]] & ~w[q.none];
}

// all queries one after the other, y of the grid is the query
__global__ void runQueries(const word* index, const Query* queries, int groups, unsigned* counts,
                           word* hits) {
  const Query q = queries[blockIdx.y];
  __shared__ unsigned total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups) {
    word h = evaluate(index + (size_t)g * ATTRS, q);
    hits[(size_t)blockIdx.y * groups + g] = h;
    atomicAdd(&total, (unsigned)__popcll(h));
  }
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(&counts[blockIdx.y], total);
}

// value < limit, bit slice by bit slice from the top; then the sum of the values of the hits of
// query 0
__global__ void rangeAndSum(const word* index, const word* hits, int limit, int groups,
                            unsigned long long* out) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups)
    return;
  const word* w = index + (size_t)g * ATTRS + FIRST_SLICE;
  word less = 0, equal = ~0ull;
  for (int s = SLICES - 1; s >= 0; --s) {
    word b = w[s];
    if (limit >> s & 1) {
      less |= equal & ~b;
      equal &= b;
    } else
      equal &= ~b;
  }
  word h = hits[g] & less;
  unsigned long long sum = 0;
  for (int s = 0; s < SLICES; ++s)
    sum += (unsigned long long)__popcll(h & w[s]) << s;
  if (h) {
    atomicAdd(&out[0], (unsigned long long)__popcll(h));
    atomicAdd(&out[1], sum);
  }
}

// writes the row numbers of the hits: a serial loop over the set bits of each word
__global__ void listRows(const word* hits, int groups, std::uint32_t* rows, unsigned* cursor,
                         unsigned capacity) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups)
    return;
  word h = hits[g];
  unsigned at = h ? atomicAdd(cursor, (unsigned)__popcll(h)) : 0;
  while (h) {
    int b = __ffsll(h) - 1;
    h &= h - 1;
    if (at < capacity)
      rows[at] = g * ROWS + b;
    ++at;
  }
}

int main(int argc, char** argv) {
  const int groups = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int limit = 151, attrs = 4;
  std::vector<Query> queries(QUERIES);
  unsigned s = 11;
  auto pick = [&] { return (int)((s = s * 1103515245u + 12345u) >> 16) % 48; };
  for (auto& q : queries) {
    q.any[0] = pick();
    q.any[1] = pick();
    q.any[2] = pick() % 2 ? pick() : -1;
    q.all[0] = pick();
    q.all[1] = pick();
    do
      q.none = pick();
    while (q.none == q.all[0] || q.none == q.all[1]);
  }
  const unsigned capacity = groups * ROWS;
  word *index, *hits;
  Query* dq;
  unsigned* counts; // queries, attributes, cursor
  unsigned long long* range;
  std::uint32_t* rows;
  CK(cudaMalloc(&index, (size_t)groups * ATTRS * sizeof(word)));
  CK(cudaMalloc(&hits, (size_t)groups * QUERIES * sizeof(word)));
  CK(cudaMalloc(&dq, QUERIES * sizeof(Query)));
  CK(cudaMalloc(&counts, (QUERIES + attrs + 1) * sizeof(unsigned)));
  CK(cudaMalloc(&range, 2 * sizeof(unsigned long long)));
  CK(cudaMalloc(&rows, capacity * sizeof(std::uint32_t)));
  CK(cudaMemcpy(dq, queries.data(), QUERIES * sizeof(Query), cudaMemcpyHostToDevice));
  CK(cudaMemset(counts, 0, (QUERIES + attrs + 1) * sizeof(unsigned)));
  CK(cudaMemset(range, 0, 2 * sizeof(unsigned long long)));

  buildIndex<<<(groups * 2 * 32 + 255) / 256, 256>>>((std::uint32_t*)index, groups);
  for (int a = 0; a < attrs; ++a)
    countAttribute<<<80, 128>>>(index, a * 11, groups, counts + QUERIES + a);
  runQueries<<<dim3((groups + 127) / 128, QUERIES), 128>>>(index, dq, groups, counts, hits);
  rangeAndSum<<<(groups + 63) / 64, 64>>>(index, hits, limit, groups, range);
  listRows<<<(groups + 127) / 128, 128>>>(hits, groups, rows, counts + QUERIES + attrs, capacity);
  CK(cudaDeviceSynchronize());

  std::vector<unsigned> hc(QUERIES + attrs + 1), ref(QUERIES + attrs + 1, 0);
  std::vector<std::uint32_t> list(capacity);
  unsigned long long hr[2], rr[2] = {0, 0}, rowSum = 0, refRowSum = 0;
  CK(cudaMemcpy(hc.data(), counts, hc.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(hr, range, sizeof hr, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(list.data(), rows, hc.back() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  for (unsigned k = 0; k < hc.back(); ++k)
    rowSum += list[k];
  for (std::uint32_t r = 0; r < (std::uint32_t)groups * ROWS; ++r) {
    Row row = makeRow(r);
    auto bit = [&](int a) { return a >= 0 && (row.flags >> a & 1); };
    for (int a = 0; a < attrs; ++a)
      ref[QUERIES + a] += bit(a * 11);
    for (int k = 0; k < QUERIES; ++k) {
      const Query& q = queries[k];
      bool hit = (bit(q.any[0]) || bit(q.any[1]) || bit(q.any[2])) && bit(q.all[0]) &&
                 bit(q.all[1]) && !bit(q.none);
      ref[k] += hit;
      if (k == 0 && hit) {
        refRowSum += r;
        if (row.value < limit) {
          rr[0]++;
          rr[1] += row.value;
        }
      }
    }
  }
  ref[QUERIES + attrs] = ref[0];
  int bad = ref != hc;
  bad += hr[0] != rr[0] || hr[1] != rr[1];
  bad += rowSum != refRowSum;
  std::printf("query 0: %u rows, %llu below the limit with sum %llu\n", hc[0], hr[0], hr[1]);
  if (bad) {
    std::printf("FAIL %d\n", bad);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
