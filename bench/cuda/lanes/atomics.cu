// SPDX-License-Identifier: Apache-2.0
//
// Atomics in shared and in global memory: sums, minima, exchanges in a loop, locks, counters for
// appending, of 16 to 64 bits, with few and with many threads at one address.
#include "lanes.cuh"

#include <cuda_fp16.h>

#include <algorithm>

// Grey values of an image: a histogram for each block, added up at the end.
__global__ void atomicGrey(const unsigned char* image, int n, unsigned* histogram) {
  __shared__ unsigned local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[image[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (local[b] > 0)
      atomicAdd(&histogram[b], local[b]);
}

// Letters of a text, straight in global memory: few bins, and blanks above all.
__global__ void atomicLetters(const char* text, int n, int* counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  char c = text[i];
  if (c >= 'a' && c <= 'z')
    atomicAdd(&counts[c - 'a'], 1);
  else if (c >= 'A' && c <= 'Z')
    atomicAdd(&counts[c - 'A'], 1);
  else if (c == ' ')
    atomicAdd(&counts[26], 1);
}

__device__ inline float minimum(float* address, float value) {
  return value >= 0.0f
             ? __int_as_float(atomicMin(reinterpret_cast<int*>(address), __float_as_int(value)))
             : __uint_as_float(
                   atomicMax(reinterpret_cast<unsigned*>(address), __float_as_uint(value)));
}

__device__ inline float maximum(float* address, float value) {
  return value >= 0.0f
             ? __int_as_float(atomicMax(reinterpret_cast<int*>(address), __float_as_int(value)))
             : __uint_as_float(
                   atomicMin(reinterpret_cast<unsigned*>(address), __float_as_uint(value)));
}

// The box around the points of each object, by atomics on the bits of floats.
__global__ void atomicBoxes(const float* points, const int* object, int n, float* boxes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float* box = boxes + 6 * object[i];
  for (int axis = 0; axis < 3; axis++) {
    const float value = points[axis * n + i];
    if (value < box[axis])
      minimum(&box[axis], value);
    if (value > box[3 + axis])
      maximum(&box[3 + axis], value);
  }
}

// The highest reading of each station: an exchange in a loop, until nobody was faster.
__global__ void atomicHighest(const float* readings, const int* station, int n, int* highest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int* address = &highest[station[i]];
  int old = *address, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= readings[i])
      break;
    old = atomicCAS(address, assumed, __float_as_int(readings[i]));
  } while (assumed != old);
}

// Sums by group in double, in shared memory; then one addition for each group.
__global__ void atomicGroupSums(const double* amounts, const unsigned char* group, int n,
                                double* sums) {
  __shared__ double local[16];
  if (threadIdx.x < 16)
    local[threadIdx.x] = 0.0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (amounts[i] != 0.0)
      atomicAdd(&local[group[i]], amounts[i]);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}

// What passes a test is appended; a warp takes its places at once.
__global__ void atomicAppendWarp(const int* in, int n, int* out, int* length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < n && in[i] % 3 == 1;
  const unsigned who = __ballot_sync(0xffffffffu, keep);
  const int lane = threadIdx.x & 31, leader = __ffs(who) - 1;
  if (!who)
    return;
  int base = 0;
  if (lane == leader)
    base = atomicAdd(length, __popc(who));
  base = __shfl_sync(0xffffffffu, base, leader);
  if (keep)
    out[base + __popc(who & ((1u << lane) - 1))] = in[i];
}

// Points to cells, where each cell has room for a few; the rest is counted.
__global__ void atomicCells(const float2* points, int n, int width, int* filled, int* members,
                            int room, int* lost) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int cell = int(points[i].y * width) * width + int(points[i].x * width);
  const int place = atomicAdd(&filled[cell], 1);
  if (place < room)
    members[cell * room + place] = i;
  else
    atomicAdd(lost, 1);
}

struct Account {
  int lock, entries;
  long long balance;
};

// Money goes from account to account; both are locked, the lower first.
__global__ void atomicTransfers(Account* accounts, const int2* transfers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a = transfers[i].x, b = transfers[i].y;
  if (a == b)
    return;
  const int first = min(a, b), second = max(a, b);
  bool done = false;
  while (!done) {
    if (atomicCAS(&accounts[first].lock, 0, 1) == 0) {
      if (atomicCAS(&accounts[second].lock, 0, 1) == 0) {
        __threadfence();
        volatile Account* from = &accounts[a];
        volatile Account* to = &accounts[b];
        from->balance = from->balance - (i % 100);
        to->balance = to->balance + (i % 100);
        from->entries = from->entries + 1;
        to->entries = to->entries + 1;
        __threadfence();
        atomicExch(&accounts[second].lock, 0);
        done = true;
      }
      atomicExch(&accounts[first].lock, 0);
    }
  }
}

__device__ int rootOf(volatile int* parent, int v) {
  int p = parent[v];
  while (p != parent[p]) {
    atomicCAS((int*)&parent[v], p, parent[p]);
    v = p;
    p = parent[v];
  }
  return p;
}

// Components of a graph: edges join the trees of their ends, the smaller root wins.
__global__ void atomicComponents(const int2* edges, int n, int* parent) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n)
    return;
  int a = rootOf(parent, edges[e].x), b = rootOf(parent, edges[e].y);
  while (a != b) {
    const int high = max(a, b), low = min(a, b);
    const int old = atomicCAS(&parent[high], high, low);
    if (old == high)
      break;
    a = rootOf(parent, high);
    b = rootOf(parent, low);
  }
}

// The best bid and who made it, in one word of 64 bits; first in the block, then of all.
__global__ void atomicBids(const unsigned* bids, const int* item, int n, int items,
                           unsigned long long* best) {
  extern __shared__ unsigned long long local[];
  for (int k = threadIdx.x; k < items; k += blockDim.x)
    local[k] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned long long word = (unsigned long long)bids[i] << 32 | unsigned(i);
    if (word > local[item[i]])
      atomicMax(&local[item[i]], word);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < items; k += blockDim.x)
    if (local[k])
      atomicMax(&best[k], local[k]);
}

// Two channels in half precision, summed in one step.
__global__ void atomicHalves(const short2* samples, const int* target, int n, __half2* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const short2 s = samples[i];
  if (s.x != 0 || s.y != 0)
    atomicAdd(&sums[target[i]], __floats2half2_rn(float(s.x), float(s.y)));
}

#define SIEVE_WORDS 256

// Segments of the sieve: composites are struck out as bits.
__global__ void atomicSieve(const int* primes, int count, unsigned* out) {
  __shared__ unsigned bits[SIEVE_WORDS];
  for (int w = threadIdx.x; w < SIEVE_WORDS; w += blockDim.x)
    bits[w] = 0xffffffffu;
  __syncthreads();
  const int low = blockIdx.x * SIEVE_WORDS * 32, high = low + SIEVE_WORDS * 32;
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    const int p = primes[k];
    int multiple = (low + p - 1) / p * p;
    if (multiple < p * p)
      multiple = p * p;
    for (; multiple < high; multiple += p)
      atomicAnd(&bits[(multiple - low) >> 5], ~(1u << (multiple & 31)));
  }
  __syncthreads();
  for (int w = threadIdx.x; w < SIEVE_WORDS; w += blockDim.x)
    out[blockIdx.x * SIEVE_WORDS + w] = bits[w];
}

// Charges of particles are spread over the four cells around.
__global__ void atomicDeposit(const float2* position, const float* charge, int n, float* grid,
                              int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = position[i].x * width - 0.5f, y = position[i].y * height - 0.5f;
  const int cx = int(floorf(x)), cy = int(floorf(y));
  const float fx = x - cx, fy = y - cy;
  for (int dy = 0; dy <= 1; dy++)
    for (int dx = 0; dx <= 1; dx++) {
      const int gx = cx + dx, gy = cy + dy;
      if (gx < 0 || gy < 0 || gx >= width || gy >= height)
        continue;
      const float weight = (dx ? fx : 1.0f - fx) * (dy ? fy : 1.0f - fy);
      atomicAdd(&grid[gy * width + gx], weight * charge[i]);
    }
}

// A sum over all: the block that finishes last adds up what the others left.
__global__ void atomicLastBlock(const int* in, int n, long long* partial, unsigned* finished,
                                long long* total) {
  __shared__ long long sums[256];
  __shared__ bool last;
  const int tid = threadIdx.x;
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sums[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && tid < 32) {
    long long all = 0;
    for (unsigned b = tid; b < gridDim.x; b += 32)
      all += ((volatile long long*)partial)[b];
    for (int offset = 16; offset > 0; offset >>= 1)
      all += __shfl_down_sync(0xffffffffu, all, offset);
    if (tid == 0)
      *total = all;
  }
}

// Chances that all of a group survive: a product in double, by exchanges of 64 bits.
__global__ void atomicProducts(const double* chance, const int* group, int n, double* products) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || chance[i] == 1.0)
    return;
  unsigned long long* address = (unsigned long long*)&products[group[i]];
  unsigned long long old = *address, assumed;
  do {
    assumed = old;
    const double product = __longlong_as_double(assumed) * chance[i];
    old = atomicCAS(address, assumed, (unsigned long long)__double_as_longlong(product));
  } while (assumed != old);
}

static void runCounts() {
  lanes::Random random(81);
  const int n = 600000;
  const std::vector<unsigned char> pixels = lanes::expect<unsigned char>(n, [&](size_t i) {
    return static_cast<unsigned char>(i % 5000 < 1500 ? 255
                                                      : random.below(128) + random.below(128));
  });
  const lanes::Buffer<unsigned char> image(pixels);
  lanes::Buffer<unsigned> histogram(256);
  atomicGrey<<<66, 256>>>(image.data(), n, histogram.data());
  std::vector<unsigned> expected(256);
  for (const unsigned char pixel : pixels)
    ++expected[pixel];
  lanes::report("atomicGrey", histogram);
  lanes::check("atomicGrey", histogram.host() == expected);

  const lanes::Buffer<char> text(n / 6, [&](size_t) {
    const int r = random.below(100);
    return char(r < 20   ? ' '
                : r < 25 ? '.'
                : r < 35 ? 'A' + random.below(26)
                         : 'a' + random.below(26) * random.below(26) / 26);
  });
  lanes::Buffer<int> counts(27);
  atomicLetters<<<(n / 6 + 255) / 256, 256>>>(text.data(), n / 6, counts.data());
  lanes::report("atomicLetters", counts);

  const std::vector<int> numbers =
      lanes::expect<int>(n, [&](size_t) { return random.below(10000); });
  const lanes::Buffer<int> numberBuffer(numbers);
  lanes::Buffer<int> kept(n), length(1);
  atomicAppendWarp<<<(n + 255) / 256, 256>>>(numberBuffer.data(), n, kept.data(), length.data());
  std::vector<int> sorted = kept.host(), wanted;
  sorted.resize(std::clamp(length.host()[0], 0, n));
  std::sort(sorted.begin(), sorted.end());
  for (const int number : numbers)
    if (number % 3 == 1)
      wanted.push_back(number);
  std::sort(wanted.begin(), wanted.end());
  lanes::report("atomicAppendWarp", length);
  lanes::check("atomicAppendWarp", sorted == wanted);

  lanes::Buffer<long long> partial(132), total(1);
  lanes::Buffer<unsigned> finished(1);
  atomicLastBlock<<<132, 256>>>(numberBuffer.data(), n, partial.data(), finished.data(),
                                total.data());
  long long sum = 0;
  for (const int number : numbers)
    sum += number;
  lanes::report("atomicLastBlock", total);
  lanes::check("atomicLastBlock", total.host()[0] == sum);

  std::vector<int> primes;
  for (int p = 2; p < 1100; ++p)
    if (std::all_of(primes.begin(), primes.end(), [&](int q) { return p % q != 0; }))
      primes.push_back(p);
  const lanes::Buffer<int> primeBuffer(primes);
  lanes::Buffer<unsigned> bits(128 * SIEVE_WORDS);
  atomicSieve<<<128, 128>>>(primeBuffer.data(), int(primes.size()), bits.data());
  lanes::report("atomicSieve", bits);
  int found = 0;
  for (const unsigned word : bits.host())
    found += __builtin_popcount(word);
  lanes::check("atomicSieve", found == 82027); // primes below 2^20, and with them 0 and 1
}

static void runExtremes() {
  lanes::Random random(82);
  const int n = 250000, objects = 300;
  const lanes::Buffer<float> points(3 * n, [&](size_t) { return random.within(-50.0f, 50.0f); });
  const std::vector<int> owner =
      lanes::expect<int>(n, [&](size_t i) { return int(i / 400 + random.below(40)) % objects; });
  const lanes::Buffer<int> object(owner);
  lanes::Buffer<float> boxes(6 * objects, [](size_t i) { return i % 6 < 3 ? 1e30f : -1e30f; });
  atomicBoxes<<<(n + 127) / 128, 128>>>(points.data(), object.data(), n, boxes.data());
  lanes::report("atomicBoxes", boxes);

  const std::vector<float> readings =
      lanes::expect<float>(n, [&](size_t) { return random.within(0.0f, 100.0f); });
  const lanes::Buffer<float> readingBuffer(readings);
  lanes::Buffer<int> highest(objects);
  atomicHighest<<<(n + 255) / 256, 256>>>(readingBuffer.data(), object.data(), n, highest.data());
  std::vector<float> tops(objects);
  for (int i = 0; i < n; ++i)
    tops[owner[i]] = std::max(tops[owner[i]], readings[i]);
  lanes::report("atomicHighest", highest);
  lanes::check("atomicHighest", std::memcmp(highest.host().data(), tops.data(), objects * 4) == 0);

  const lanes::Buffer<unsigned> bids(n, [&](size_t) { return random.next() >> 12; });
  lanes::Buffer<unsigned long long> best(objects);
  atomicBids<<<(n + 255) / 256, 256, objects * 8>>>(bids.data(), object.data(), n, objects,
                                                    best.data());
  lanes::report("atomicBids", best);
}

static void runSums() {
  lanes::Random random(83);
  const int n = 150000;
  const lanes::Buffer<double> amounts(
      n, [&](size_t) { return random.below(4) ? double(random.between(-500, 900)) : 0.0; });
  const lanes::Buffer<unsigned char> group(n, [&](size_t) {
    const int factor = random.below(4); // in this order with every compiler
    return static_cast<unsigned char>(factor * random.below(5));
  });
  lanes::Buffer<double> sums(16);
  atomicGroupSums<<<66, 128>>>(amounts.data(), group.data(), n, sums.data());
  lanes::report("atomicGroupSums", sums);

  const lanes::Buffer<short2> samples(n, [&](size_t) {
    const short left = short(random.between(-2, 2)); // in this order with every compiler
    return make_short2(left, short(random.between(-2, 2)));
  });
  const lanes::Buffer<int> targets(n, [&](size_t) { return random.below(2000); });
  lanes::Buffer<__half2> halves(std::vector<__half2>(2000, __floats2half2_rn(0.0f, 0.0f)));
  atomicHalves<<<(n + 127) / 128, 128>>>(samples.data(), targets.data(), n, halves.data());
  std::vector<int> whole;
  for (const __half2& h : halves.host())
    whole.push_back(int(__low2float(h)) * 1000 + int(__high2float(h)));
  lanes::report("atomicHalves", lanes::Buffer<int>(whole));

  const auto place = [&](size_t) {
    const float x = random.unit(), y = random.unit();
    return make_float2(x * y, y);
  };
  const lanes::Buffer<float2> places(n, place);
  const lanes::Buffer<float> charge(n, [&](size_t) { return random.within(0.5f, 1.5f); });
  lanes::Buffer<float> grid(96 * 64);
  atomicDeposit<<<(n + 127) / 128, 128>>>(places.data(), charge.data(), n, grid.data(), 96, 64);
  lanes::report("atomicDeposit", grid);

  lanes::Buffer<int> filled(64 * 64), members(64 * 64 * 24), lost(1);
  atomicCells<<<(n + 127) / 128, 128>>>(places.data(), n, 64, filled.data(), members.data(), 24,
                                        lost.data());
  lanes::report("atomicCells", filled);
  lanes::report("atomicCells", lost);

  const lanes::Buffer<double> chance(
      n / 4, [&](size_t) { return random.below(3) ? 1.0 - 0.01 * random.unit() : 1.0; });
  const lanes::Buffer<int> groups(n / 4, [&](size_t) { return random.below(500); });
  lanes::Buffer<double> products(std::vector<double>(500, 1.0));
  atomicProducts<<<(n / 4 + 127) / 128, 128>>>(chance.data(), groups.data(), n / 4,
                                               products.data());
  lanes::report("atomicProducts", products);
}

static void runSharedThings() {
  lanes::Random random(84);
  const int n = 12000, accounts = 900;
  const auto pair = [&](int limit) {
    const int first = random.below(limit); // in this order with every compiler
    return make_int2(first, random.below(limit));
  };
  const std::vector<int2> moves = lanes::expect<int2>(n, [&](size_t) { return pair(accounts); });
  const lanes::Buffer<int2> transfers(moves);
  lanes::Buffer<Account> bank(accounts, [](size_t) { return Account{0, 0, 1000}; });
  atomicTransfers<<<(n + 63) / 64, 64>>>(bank.data(), transfers.data(), n);
  std::vector<long long> balances, expected(accounts, 1000);
  for (const Account& account : bank.host())
    balances.push_back(account.balance);
  for (int i = 0; i < n; ++i)
    if (moves[i].x != moves[i].y) {
      expected[moves[i].x] -= i % 100;
      expected[moves[i].y] += i % 100;
    }
  lanes::report("atomicTransfers", lanes::Buffer<long long>(balances));
  lanes::check("atomicTransfers", balances == expected);

  const int nodes = 40000;
  const lanes::Buffer<int2> edges(nodes * 3 / 4, [&](size_t) { return pair(nodes); });
  lanes::Buffer<int> parent(nodes, [](size_t i) { return int(i); });
  atomicComponents<<<(nodes * 3 / 4 + 127) / 128, 128>>>(edges.data(), nodes * 3 / 4,
                                                         parent.data());
  std::vector<int> roots = parent.host();
  for (int v = 0; v < nodes; ++v)
    roots[v] = roots[roots[v]]; // a parent is never above its child
  lanes::report("atomicComponents", lanes::Buffer<int>(roots));
}

int main() {
  runCounts();
  runExtremes();
  runSums();
  runSharedThings();
  return lanes::status();
}
