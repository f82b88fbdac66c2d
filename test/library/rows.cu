// SPDX-License-Identifier: Apache-2.0
//
// Rows shared by groups of 2 to 32 lanes, rows of teams, and rows spread over a warp, each against
// the plain loop on the host: every part, lanes that do not come, rows without items, blocks of two
// dimensions, short and long types. Prints checksums.
#include <heddle/rows.cuh>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
    std::exit(1);                                                                                  \
  }

constexpr int rows = 777, blockSize = 96;

__host__ __device__ unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Lanes that come, by the row's number.
enum class Lanes { all, most, few, odd };

__host__ __device__ bool comes(Lanes lanes, int row) {
  switch (lanes) {
  case Lanes::all:
    return true;
  case Lanes::most:
    return scrambled(row) % 8 != 0;
  case Lanes::few:
    return scrambled(row) % 16 == 0;
  case Lanes::odd:
    return row % 2 == 1;
  }
  return false;
}

__host__ __device__ int lengthOf(int row) {
  const unsigned random = scrambled(unsigned(row) + 99);
  return random % 4 == 0 ? 0 : int(random % (random % 5 == 0 ? 150 : 12));
}

struct Own {
  int limit;
  char mark;
  double factor;
};

struct Result {
  int sum, count, high, at, lowLast, atLast, first, flag;
  unsigned any, all, odd, product;
  long long wide;
  short narrow;
  double least;
  float scaled;
  bool found;
};

__host__ __device__ Result begun(int row) {
  Result result{};
  result.sum = row;
  result.high = row % 90;
  result.at = result.atLast = result.first = -1;
  result.lowLast = 70;
  result.all = ~0u;
  result.product = 3;
  result.narrow = 30000;
  result.least = 1e30;
  return result;
}

/// An item's part of the result, for accumulators of whatever lane.
struct Item {
  const Own& own;
  int k;
  int x;

  __host__ __device__ Item(const Own& of, int item)
      : own(of), k(item), x(int(scrambled(unsigned(item)) % 100)) {}
  template <class R> __host__ __device__ void join(R& r) const {
    r.sum += x - own.mark;
    if (x > own.limit)
      ++r.count;
    if (x > r.high) {
      r.high = x;
      r.at = k;
    }
    if (x <= r.lowLast) {
      r.lowLast = x;
      r.atLast = k;
    }
    r.any |= 1u << (x & 31);
    r.all &= ~(1u << (x / 4));
    r.odd ^= unsigned(x);
    r.product *= unsigned(x | 1);
    r.wide += (1ll << 33) * x;
    r.narrow = short(r.narrow + x * 99);
    r.least = fmin(r.least, x * own.factor);
    r.found = r.found || x == own.limit;
    if (x == 42)
      r.flag = 7;
  }
};

/// References to the accumulators of a lane.
struct Joined {
  int &sum, &count, &high, &at, &lowLast, &atLast, &flag;
  unsigned &any, &all, &odd, &product;
  long long& wide;
  short& narrow;
  double& least;
  bool& found;
};

/// A negative number of lanes is that of a team.
template <int Group> struct Sharing {
  template <class... Parts> static __device__ void run(int begin, int end, Parts... parts) {
    if constexpr (Group < 0)
      heddle::team_rows<-Group>(begin, end, parts...);
    else
      heddle::share_rows<Group>(begin, end, parts...);
  }
};
/// One row of a warp after the other.
template <> struct Sharing<0> {
  template <class... Parts> static __device__ void run(int begin, int end, Parts... parts) {
    heddle::spread(heddle::of_first_lane(begin), heddle::of_first_lane(end), parts...);
  }
};

template <int Group> __device__ void joinRow(const Own& own, int begin, int end, Result& r) {
  Sharing<Group>::run(
      begin, end, heddle::own(own), heddle::sum(r.sum, r.count), heddle::largest(r.high, r.at),
      heddle::smallest_last(r.lowLast, r.atLast), heddle::set(r.flag),
      heddle::bits_or(r.any, r.found), heddle::bits_and(r.all), heddle::bits_xor(r.odd),
      heddle::product(r.product), heddle::sum(r.wide, r.narrow), heddle::min_of(r.least),
      [&](int k, const Own& own, int& sum, int& count, int& high, int& at, int& lowLast,
          int& atLast, int& flag, unsigned& any, bool& found, unsigned& all, unsigned& odd,
          unsigned& product, long long& wide, short& narrow, double& least) {
        Joined joined{sum, count, high,    at,   lowLast, atLast, flag, any,
                      all, odd,   product, wide, narrow,  least,  found};
        Item(own, k).join(joined);
      });
  Sharing<Group>::run(begin, end, heddle::own(own), heddle::first(r.first),
                      [&](int k, const Own& own, int& first) {
                        if (Item(own, k).x == own.limit) {
                          first = k;
                          return true;
                        }
                        return false;
                      });
}

template <int Group> __global__ void joinRows(Lanes lanes, int* places, Result* results) {
  const int thread = int(threadIdx.x + blockDim.x * threadIdx.y);
  const int row = int(blockIdx.x) * blockSize + thread;
  if (row >= rows || !comes(lanes, row))
    return;
  const Own own{int(scrambled(row) % 100), char(row % 7), 0.5 + row % 3};
  Result result = begun(row);
  joinRow<Group>(own, row * 3, row * 3 + lengthOf(row), result);
  heddle::share_rows<Group == 0 ? 4 : Group, 3>(
      0, lengthOf(row), heddle::own(row), [&](int k, int of) { places[of * 150 + k] += of + k; });
  result.scaled = float(places[row * 150] + places[row * 150 + 3]); // written by other lanes
  results[row] = result;
}

/// Each lane of a team has a result of its own.
template <int Team> __global__ void joinByTeams(Lanes lanes, int* places, Result* results) {
  const int row = int(blockIdx.x * (blockDim.x / Team) + threadIdx.x / Team);
  if (row >= rows || !comes(lanes, row))
    return;
  const Own own{int(scrambled(row) % 100), char(row % 7), 0.5 + row % 3};
  Result result = begun(row);
  joinRow<-Team>(own, row * 3, row * 3 + lengthOf(row), result);
  heddle::team_rows<Team, 3>(0, lengthOf(row), [&](int k) { places[row * 150 + k] += row + k; });
  result.scaled = float(places[row * 150] + places[row * 150 + 3]); // written by other lanes
  results[row * Team + int(threadIdx.x % Team)] = result;
}

Result expected(int row) {
  const Own own{int(scrambled(unsigned(row)) % 100), char(row % 7), 0.5 + row % 3};
  Result r = begun(row);
  for (int k = row * 3; k < row * 3 + lengthOf(row); ++k)
    Item(own, k).join(r);
  for (int k = row * 3; k < row * 3 + lengthOf(row); ++k)
    if (Item(own, k).x == own.limit) {
      r.first = k;
      break;
    }
  r.scaled = float((lengthOf(row) > 0 ? row : 0) + (lengthOf(row) > 3 ? row + 3 : 0));
  return r;
}

bool areEqual(const Result& a, const Result& b) {
  return a.sum == b.sum && a.count == b.count && a.high == b.high && a.at == b.at &&
         a.lowLast == b.lowLast && a.atLast == b.atLast && a.first == b.first && a.flag == b.flag &&
         a.any == b.any && a.all == b.all && a.odd == b.odd && a.product == b.product &&
         a.wide == b.wide && a.narrow == b.narrow && a.least == b.least && a.scaled == b.scaled &&
         a.found == b.found;
}

/// Of a spread row only the first lane has the result.
template <int Group> unsigned check(Lanes lanes, dim3 block) {
  Result* results = nullptr;
  int* places = nullptr;
  REQUIRE(cudaMallocManaged(&results, rows * sizeof(Result)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&places, rows * 150 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(places, 0, rows * 150 * sizeof(int)) == cudaSuccess);
  joinRows<Group><<<(rows + blockSize - 1) / blockSize, block>>>(lanes, places, results);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned hash = 0;
  for (int row = 0; row < rows; ++row) {
    const bool isOurs = Group != 0 || row % blockSize % 32 == 0;
    if (!comes(lanes, row) || !isOurs)
      continue;
    REQUIRE(areEqual(results[row], expected(row)));
    hash = scrambled(hash ^ unsigned(results[row].sum + results[row].at + results[row].first));
  }
  cudaFree(results);
  cudaFree(places);
  return hash;
}

template <int Group> void checkAll(const char* name) {
  std::printf("%s:", name);
  for (const Lanes lanes : {Lanes::all, Lanes::most, Lanes::few, Lanes::odd})
    std::printf(" %08x %08x", check<Group>(lanes, dim3(blockSize)),
                check<Group>(lanes, dim3(12, 8)));
  std::printf("\n");
}

template <int Team> void checkTeams() {
  Result* results = nullptr;
  int* places = nullptr;
  REQUIRE(cudaMallocManaged(&results, rows * Team * sizeof(Result)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&places, rows * 150 * sizeof(int)) == cudaSuccess);
  for (const Lanes lanes : {Lanes::all, Lanes::most, Lanes::few, Lanes::odd}) {
    REQUIRE(cudaMemset(places, 0, rows * 150 * sizeof(int)) == cudaSuccess);
    joinByTeams<Team>
        <<<(rows * Team + blockSize - 1) / blockSize, blockSize>>>(lanes, places, results);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (int row = 0; row < rows; ++row)
      for (int lane = 0; lane < Team && comes(lanes, row); ++lane)
        REQUIRE(areEqual(results[row * Team + lane], expected(row)));
  }
  cudaFree(results);
  cudaFree(places);
  std::printf("teams of %d\n", Team);
}

/// Pointers, wide and unsigned counters, and no items at all.
__global__ void countKinds(const unsigned char* text, unsigned long long* out) {
  const unsigned t = threadIdx.x;
  unsigned long long sum = 0;
  heddle::share_rows<8>(text + t, text + t + t % 13, heddle::sum(sum),
                        [&](const unsigned char* p, unsigned long long& sum) { sum += *p; });
  const size_t end = t % 9;
  heddle::share_rows<8>(size_t(0), end, heddle::sum(sum),
                        [&](size_t k, unsigned long long& sum) { sum += k << 33; });
  heddle::share_rows<8>(5u, t % 2 ? 3u : 5u, heddle::sum(sum),
                        [&](unsigned, unsigned long long& sum) { ++sum; });
  heddle::share_rows<8>(-3, int(t % 4), heddle::sum(sum),
                        [&](int k, unsigned long long& sum) { sum += unsigned(k + 4); });
  out[t] = sum;
}

void checkKinds() {
  unsigned char* text = nullptr;
  unsigned long long* out = nullptr;
  REQUIRE(cudaMallocManaged(&text, 128) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&out, 64 * sizeof *out) == cudaSuccess);
  for (int i = 0; i < 128; ++i)
    text[i] = static_cast<unsigned char>(scrambled(unsigned(i)));
  countKinds<<<1, 64>>>(text, out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned t = 0; t < 64; ++t) {
    unsigned long long sum = 0;
    for (unsigned k = 0; k < t % 13; ++k)
      sum += text[t + k];
    for (unsigned long long k = 0; k < t % 9; ++k)
      sum += k << 33;
    for (int k = -3; k < int(t % 4); ++k)
      sum += unsigned(k + 4);
    REQUIRE(out[t] == sum);
  }
  std::printf("pointers, wide and unsigned counters, rows that end before they begin\n");
}

/// The first of equal values wins, whatever their zeros' signs; a NaN never does.
__global__ void pickZeros(const float* values, float* out, int* at) {
  const int t = int(threadIdx.x), begin = t * 4;
  float low = 1;
  int index = -1;
  heddle::share_rows<16>(begin, begin + 37, heddle::smallest(low, index),
                         [&](int k, float& low, int& index) {
                           if (values[k] < low) {
                             low = values[k];
                             index = k;
                           }
                         });
  out[t] = low;
  at[t] = index;
}

void checkZeros() {
  constexpr int threads = 40, values = threads * 4 + 40;
  float *from = nullptr, *out = nullptr;
  int* at = nullptr;
  REQUIRE(cudaMallocManaged(&from, values * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&out, threads * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&at, threads * sizeof(int)) == cudaSuccess);
  const float kinds[] = {0.f, -0.f, NAN, 2.f, .5f};
  for (int i = 0; i < values; ++i)
    from[i] = kinds[scrambled(unsigned(i)) % 5];
  pickZeros<<<1, threads>>>(from, out, at);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < threads; ++t) {
    float low = 1;
    int index = -1;
    for (int k = t * 4; k < t * 4 + 37; ++k)
      if (from[k] < low) {
        low = from[k];
        index = k;
      }
    REQUIRE(at[t] == index && out[t] == low && std::signbit(out[t]) == std::signbit(low));
  }
  std::printf("the first of equal zeros, and no NaN\n");
}

/// Rows that are counted down, and accumulators in memory, which only their owner touches.
__global__ void countDown(const unsigned char* text, unsigned* out, unsigned* low) {
  const unsigned t = threadIdx.x;
  const int begin = int(t % 29), end = int(t % 5);
  heddle::share_rows<8, -2>(begin, end, heddle::sum(out[t]),
                            [&](int k, unsigned& sum) { sum += text[k] * unsigned(k); });
  heddle::share_rows<16, -1>(
      text + t, text + t % 7, heddle::min_of(low[t]),
      [&](const unsigned char* p, unsigned& least) { least = min(least, unsigned(*p)); });
  heddle::share_rows<4, -1>(int(t), -1, heddle::first(out[t + blockDim.x]),
                            [&](int k, unsigned& at) {
                              if (text[k] % 5 != 0)
                                return false;
                              at = unsigned(k);
                              return true;
                            });
}

void checkDown() {
  constexpr unsigned threads = 70;
  unsigned char* text = nullptr;
  unsigned *out = nullptr, *low = nullptr;
  REQUIRE(cudaMallocManaged(&text, 128) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&out, 2 * threads * sizeof *out) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&low, threads * sizeof *low) == cudaSuccess);
  for (int i = 0; i < 128; ++i)
    text[i] = static_cast<unsigned char>(scrambled(unsigned(i)));
  for (unsigned t = 0; t < threads; ++t)
    out[t] = t, low[t] = 100, out[t + threads] = 999;
  countDown<<<1, threads>>>(text, out, low);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned t = 0; t < threads; ++t) {
    unsigned sum = t, least = 100, at = 999;
    for (int k = int(t % 29); k > int(t % 5); k -= 2)
      sum += text[k] * unsigned(k);
    for (const unsigned char* p = text + t; p != text + t % 7 && p > text + t % 7; --p)
      least = least < *p ? least : *p;
    for (int k = int(t); k >= 0; --k)
      if (text[k] % 5 == 0) {
        at = unsigned(k);
        break;
      }
    REQUIRE(out[t] == sum && low[t] == least && out[t + threads] == at);
  }
  std::printf("rows that are counted down, accumulators in memory\n");
}

/// The item of the largest value, the first of equal ones, and what the last item has set.
__global__ void pickItems(const unsigned char* text, int* at, double* last) {
  const int t = int(threadIdx.x), begin = t % 29, end = begin + t % 50;
  const auto pick = [&](int k, int& at, auto& last) {
    if (text[k] % 9 > text[at] % 9)
      at = k;
    if (text[k] % 7 == 0)
      last = k + 0.5;
  };
  heddle::share_rows<8>(begin, end, heddle::largest_at(at[t], [&](int k) { return text[k] % 9; }),
                        heddle::last(last[t]), pick);
  const int behind = int(blockDim.x) + t;
  heddle::spread<-1>(99, 20, heddle::smallest_at(at[behind], [&](int k) { return text[k] % 9; }),
                     heddle::last(last[behind]), [&](int k, int& at, auto& last) {
                       if (text[k] % 9 < text[at] % 9)
                         at = k;
                       if (text[k] % 7 == 0)
                         last = k;
                     });
}

void checkPicked() {
  constexpr int threads = 80;
  unsigned char* text = nullptr;
  int* at = nullptr;
  double* last = nullptr;
  REQUIRE(cudaMallocManaged(&text, 128) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&at, 2 * threads * sizeof *at) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&last, 2 * threads * sizeof *last) == cudaSuccess);
  for (int i = 0; i < 128; ++i)
    text[i] = static_cast<unsigned char>(scrambled(unsigned(i)));
  for (int t = 0; t < 2 * threads; ++t)
    at[t] = 3, last[t] = -1;
  pickItems<<<1, threads>>>(text, at, last);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < threads; ++t) {
    int high = 3, low = 3;
    double set = -1, spread = -1;
    for (int k = t % 29; k < t % 29 + t % 50; ++k) {
      high = text[k] % 9 > text[high] % 9 ? k : high;
      set = text[k] % 7 == 0 ? k + 0.5 : set;
    }
    for (int k = 99; k > 20; --k) {
      low = text[k] % 9 < text[low] % 9 ? k : low;
      spread = text[k] % 7 == 0 ? k : spread;
    }
    REQUIRE(at[t] == high && last[t] == set);
    REQUIRE(t % 32 != 0 || (at[threads + t] == low && last[threads + t] == spread));
  }
  std::printf("items of the largest and smallest values, and what the last one set\n");
}

/// Prefix sums by the first lane of each warp, of which the last has few lanes.
template <class T> __global__ void scanRows(const T* values, T* ends, T* starts, T* sums, int n) {
  const int warp = int(threadIdx.x) / 32;
  values += warp * n, ends += warp * n, starts += warp * n;
  T total = 7, before = T(warp);
  heddle::spread_scan(
      0, n, total, [&](int k) { return values[k]; }, [&](int k, T total) { ends[k] = total; });
  heddle::spread_scan_before(
      0, n, before, heddle::own(warp), [&](int k, const int& warp) { return values[k] + warp; },
      [&](int k, const int& warp, T before) { starts[k] = T(before - warp); });
  heddle::spread_scan_from(
      1, n, ends[0], [&](int k) { return ends[k]; }, [&](int k, T sum) { ends[k] = sum; });
  if (threadIdx.x % 32 == 0)
    sums[warp] = T(total * 3 + before);
}

template <class T> void checkScan(int n) {
  constexpr int warps = 3;
  T *values = nullptr, *ends = nullptr, *starts = nullptr, *sums = nullptr;
  for (T** each : {&values, &ends, &starts, &sums})
    REQUIRE(cudaMallocManaged(each, (warps * n + 8) * sizeof(T)) == cudaSuccess);
  for (int i = 0; i < warps * n; ++i)
    values[i] = T(scrambled(unsigned(i)));
  scanRows<<<1, warps * 32 - 20>>>(values, ends, starts, sums, n);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int warp = 0; warp < warps; ++warp) {
    T total = 7, before = T(warp), last = 0;
    for (int k = warp * n; k < warp * n + n; ++k) {
      REQUIRE(starts[k] == T(before - warp));
      before = T(before + values[k] + warp);
      total = T(total + values[k]);
      last = T(last + total);
      REQUIRE(ends[k] == last);
    }
    REQUIRE(n == 0 || sums[warp] == T(total * 3 + before));
  }
}

void checkScans() {
  for (const int n : {0, 1, 31, 32, 33, 100}) {
    checkScan<int>(n);
    checkScan<unsigned char>(n);
    checkScan<long long>(n);
  }
  std::printf("prefix sums\n");
}

int main() {
  checkAll<2>("2 lanes");
  checkAll<4>("4 lanes");
  checkAll<8>("8 lanes");
  checkAll<16>("16 lanes");
  checkAll<32>("32 lanes");
  checkTeams<2>();
  checkTeams<8>();
  checkTeams<32>();
  checkAll<0>("spread");
  checkKinds();
  checkZeros();
  checkDown();
  checkPicked();
  checkScans();
}
