// SPDX-License-Identifier: Apache-2.0
// Prefix sums in a single pass with decoupled look-back, used to compact an array of events.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_TRY(x)                                                                                \
  if (cudaError_t err__ = (x)) {                                                                   \
    printf("FAIL %s -> %s\n", #x, cudaGetErrorString(err__));                                      \
    std::exit(1);                                                                                  \
  }

constexpr int kThreads = 256;
constexpr int kItems = 4;
constexpr int kTile = kThreads * kItems;

enum : unsigned { kInvalid = 0, kAggregate = 1, kPrefix = 2 };

struct TileState {
  unsigned flag;
  unsigned aggregate;
  unsigned prefix;
  unsigned unused;
};

struct Event {
  float energy;
  int detector;
  int time;
};

__global__ void reset(TileState* tiles, int count, unsigned* ticket) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    tiles[i].flag = kInvalid;
  if (i == 0)
    *ticket = 0;
}

__global__ void mark(const Event* events, int n, float threshold, unsigned* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    flags[i] = events[i].energy > threshold && events[i].detector % 7 != 3;
}

__device__ unsigned warpInclusive(unsigned v) {
  for (int d = 1; d < 32; d <<= 1) {
    unsigned up = __shfl_up_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) >= d)
      v += up;
  }
  return v;
}

// a warp looks back over 32 tiles at a time
__device__ unsigned lookBack(volatile TileState* tiles, int tile) {
  int lane = threadIdx.x & 31;
  unsigned sum = 0;
  int window = tile - 1;
  while (true) {
    int at = window - lane;
    unsigned flag = kPrefix, value = 0;
    if (at >= 0) {
      do {
        flag = tiles[at].flag;
      } while (flag == kInvalid);
      __threadfence();
      value = flag == kPrefix ? tiles[at].prefix : tiles[at].aggregate;
    }
    __syncwarp();
    unsigned complete = __ballot_sync(0xffffffffu, flag == kPrefix);
    int stop = complete ? __ffs(complete) - 1 : 31;
    unsigned add = lane <= stop ? value : 0;
    for (int d = 16; d; d >>= 1)
      add += __shfl_xor_sync(0xffffffffu, add, d);
    sum += add;
    if (complete)
      return sum;
    window -= 32;
  }
}

__global__ void exclusiveScan(const unsigned* in, unsigned* out, int n, TileState* tiles,
                              unsigned* ticket, unsigned* total) {
  __shared__ int tileShared;
  __shared__ unsigned warpSums[kThreads / 32];
  __shared__ unsigned tilePrefix;
  if (threadIdx.x == 0)
    tileShared = atomicAdd(ticket, 1u);
  __syncthreads();
  int tile = tileShared;
  int first = tile * kTile + threadIdx.x * kItems;
  unsigned item[kItems];
  unsigned own = 0;
  for (int k = 0; k < kItems; ++k) {
    item[k] = first + k < n ? in[first + k] : 0;
    own += item[k];
  }
  unsigned inclusive = warpInclusive(own);
  int warp = threadIdx.x / 32;
  if ((threadIdx.x & 31) == 31)
    warpSums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    unsigned w = threadIdx.x < kThreads / 32 ? warpSums[threadIdx.x] : 0;
    unsigned wi = warpInclusive(w);
    if (threadIdx.x < kThreads / 32)
      warpSums[threadIdx.x] = wi - w;
    unsigned aggregate = __shfl_sync(0xffffffffu, wi, 31);
    volatile TileState* states = tiles;
    unsigned before = 0;
    if (tile > 0) {
      if (threadIdx.x == 0) {
        states[tile].aggregate = aggregate;
        __threadfence();
        states[tile].flag = kAggregate;
      }
      __syncwarp();
      before = lookBack(tiles, tile);
    }
    if (threadIdx.x == 0) {
      states[tile].prefix = before + aggregate;
      __threadfence();
      states[tile].flag = kPrefix;
      tilePrefix = before;
      if ((tile + 1) * kTile >= n)
        *total = before + aggregate;
    }
  }
  __syncthreads();
  unsigned running = tilePrefix + warpSums[warp] + inclusive - own;
  for (int k = 0; k < kItems; ++k) {
    if (first + k < n)
      out[first + k] = running;
    running += item[k];
  }
}

__global__ void compact(const Event* in, const unsigned* flags, const unsigned* where, int n,
                        Event* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flags[i])
    out[where[i]] = in[i];
}

__global__ void cool(Event* events, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    events[i].energy = events[i].energy * 0.5f + (events[i].time % 100) * 0.25f;
    events[i].detector = (events[i].detector * 5 + 1) % 1000;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 50000;
  std::vector<Event> host(n);
  uint32_t s = 1u;
  for (int i = 0; i < n; ++i) {
    s = s * 747796405u + 2891336453u;
    host[i].energy = (s >> 12) % 1000 * 0.125f;
    s = s * 747796405u + 2891336453u;
    host[i].detector = (s >> 12) % 1000;
    host[i].time = i;
  }
  int tilesMax = (n + kTile - 1) / kTile;
  Event *a, *b;
  unsigned *flags, *where, *ticket, *total;
  TileState* tiles;
  CUDA_TRY(cudaMalloc(&a, n * sizeof(Event)));
  CUDA_TRY(cudaMalloc(&b, n * sizeof(Event)));
  CUDA_TRY(cudaMalloc(&flags, n * sizeof(unsigned)));
  CUDA_TRY(cudaMalloc(&where, n * sizeof(unsigned)));
  CUDA_TRY(cudaMalloc(&tiles, tilesMax * sizeof(TileState)));
  CUDA_TRY(cudaMalloc(&ticket, sizeof(unsigned)));
  CUDA_TRY(cudaMalloc(&total, sizeof(unsigned)));
  CUDA_TRY(cudaMemcpy(a, host.data(), n * sizeof(Event), cudaMemcpyHostToDevice));

  const float thresholds[4] = {8.0f, 12.0f, 14.0f, 16.0f};
  int left = n;
  for (int step = 0; step < 4 && left > 0; ++step) {
    int grid = (left + 255) / 256, tileCount = (left + kTile - 1) / kTile;
    reset<<<(tileCount + 255) / 256, 256>>>(tiles, tileCount, ticket);
    mark<<<grid, 256>>>(a, left, thresholds[step], flags);
    exclusiveScan<<<tileCount, kThreads>>>(flags, where, left, tiles, ticket, total);
    compact<<<grid, 256>>>(a, flags, where, left, b);
    CUDA_TRY(cudaMemcpy(&left, total, sizeof(int), cudaMemcpyDeviceToHost));
    std::swap(a, b);
    if (left > 0)
      cool<<<(left + 255) / 256, 256>>>(a, left);
  }
  CUDA_TRY(cudaGetLastError());
  std::vector<Event> got(left);
  CUDA_TRY(cudaMemcpy(got.data(), a, left * sizeof(Event), cudaMemcpyDeviceToHost));

  for (int step = 0; step < 4; ++step) {
    std::vector<Event> next;
    for (Event e : host)
      if (e.energy > thresholds[step] && e.detector % 7 != 3) {
        e.energy = e.energy * 0.5f + (e.time % 100) * 0.25f; // exact in binary
        e.detector = (e.detector * 5 + 1) % 1000;
        next.push_back(e);
      }
    host.swap(next);
  }
  int wrong = (int)host.size() != left;
  for (int i = 0; i < left && !wrong; ++i)
    wrong = host[i].time != got[i].time || host[i].detector != got[i].detector ||
            host[i].energy != got[i].energy;
  printf("%d of %d events left\n", left, n);
  puts(wrong ? "FAIL events differ" : "PASS");
  return wrong;
}
