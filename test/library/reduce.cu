// SPDX-License-Identifier: Apache-2.0
//
// Reductions of warps, blocks and arrays, and the ladder, for every type, operator, length around
// the sizes the kernels are cut by, and alignment. Held against the host; prints checksums. Sums
// are of small whole numbers, so that they are exact in any order.
//
// An argument adds an array of more than 2^31 elements.
#include <heddle/reduce.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
    std::exit(1);                                                                                  \
  }

template <class T> class DeviceVector {
public:
  explicit DeviceVector(size_t size) : size_(size) {
    REQUIRE(cudaMalloc(&data_, size * sizeof(T) + 1) == cudaSuccess); // none is empty
    REQUIRE(cudaMemset(data_, 0xa5, size * sizeof(T)) == cudaSuccess);
  }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  DeviceVector(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> values() {
    std::vector<T> copy(size_);
    REQUIRE(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return copy;
  }

private:
  T* data_ = nullptr;
  size_t size_;
};

uint32_t scrambled(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// FNV-1a over the bytes of results.
class Checksum {
public:
  template <class T> void add(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes)
      sum_ = (sum_ ^ byte) * 1099511628211u;
  }
  void print(const char* what, const char* type) const {
    std::printf("%-28s %-8s %016llx\n", what, type, static_cast<unsigned long long>(sum_));
  }

private:
  uint64_t sum_ = 14695981039346656037u;
};

template <class T> bool sameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Joins two elements that lie apart and counts them: wrong when one is lost or taken twice. Twelve
/// bytes: no vector holds a whole number of them.
struct Tally {
  int32_t sum, most;
  uint32_t elements;
};
struct JoinTallies {
  __host__ __device__ Tally operator()(Tally a, Tally b) const {
    return {a.sum + b.sum, a.most > b.most ? a.most : b.most, a.elements + b.elements};
  }
};

/// Sixteen bytes, aligned to four: an array of them need not have any vector.
struct Sums {
  uint32_t of[4];
};
struct AddSums {
  __host__ __device__ Sums operator()(Sums a, Sums b) const {
    return {{a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2], a.of[3] + b.of[3]}};
  }
};

/// The map x -> scale * x + shift. First a, then b: the order counts.
struct Affine {
  uint32_t scale, shift;
};
struct Compose {
  __host__ __device__ Affine operator()(Affine a, Affine b) const {
    return {b.scale * a.scale, b.scale * a.shift + b.shift};
  }
};

template <class T> T element(uint32_t i) {
  return static_cast<T>(static_cast<int>(scrambled(i) >> 28) - 7);
}
template <> Tally element<Tally>(uint32_t i) {
  return {static_cast<int>(scrambled(i) >> 20), static_cast<int>(scrambled(i) >> 8), 1};
}
template <> Sums element<Sums>(uint32_t i) {
  return {{scrambled(i), scrambled(i + 1), i, 1}};
}
template <> Affine element<Affine>(uint32_t i) {
  return {scrambled(i) | 1, scrambled(i + 7)};
}

template <class T> std::vector<T> elements(size_t count) {
  std::vector<T> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = element<T>(static_cast<uint32_t>(i));
  return made;
}

template <class T, class Op> T onHost(const T* from, size_t count, Op op, T start) {
  for (size_t i = 0; i < count; ++i)
    start = op(start, from[i]);
  return start;
}

constexpr size_t lengths[] = {0,    1,    2,    15,   16,    17,    31,    32,     33,
                              127,  128,  129,  511,  512,   513,   2047,  2048,   2049,
                              4099, 8191, 8192, 8193, 16383, 65536, 65539, 135168, 300001};
constexpr size_t longest = 300001;

/// Small blocks and few of them, so that each takes many tiles.
template <class T, class Op>
cudaError_t reduceByFewBlocks(const T* in, size_t length, T* out, Op op, T init, void* workspace) {
  return heddle::detail::launch_reduce<heddle::reduce_tuning<64, 3>>(
      heddle::detail::split_input(in, length), out, op, init, workspace, 5, nullptr);
}

/// All lengths from three places, with one workspace for all of them.
template <class T, class Op> void checkDevice(const char* what, const char* type, Op op, T init) {
  const std::vector<T> host = elements<T>(longest + 3);
  DeviceVector<T> in(host);
  DeviceVector<T> out(size_t{1});
  const heddle::reduce_workspace<T> workspace;
  REQUIRE(workspace.status() == cudaSuccess);
  Checksum checksum;
  for (const size_t length : lengths)
    for (const size_t first : {0, 1, 3}) {
      REQUIRE(heddle::device_reduce(in.data() + first, length, out.data(), op, init,
                                    workspace.data(), nullptr) == cudaSuccess);
      const T found = out.values()[0];
      REQUIRE(sameBits(found, onHost(host.data() + first, length, op, init)));
      checksum.add(found);
      REQUIRE(reduceByFewBlocks(in.data() + first, length, out.data(), op, init,
                                workspace.data()) == cudaSuccess);
      REQUIRE(sameBits(out.values()[0], found));
    }
  checksum.print(what, type);
}

/// Elements of 16 bytes of which none begins a line: all are read one by one.
void checkBetweenLines() {
  const std::vector<Sums> host = elements<Sums>(longest);
  DeviceVector<uint32_t> in(4 * longest + 1);
  DeviceVector<Sums> out(size_t{1});
  auto* between = reinterpret_cast<Sums*>(in.data() + 1);
  REQUIRE(cudaMemcpy(between, host.data(), longest * sizeof(Sums), cudaMemcpyHostToDevice) ==
          cudaSuccess);
  Checksum checksum;
  for (const size_t length : lengths) {
    REQUIRE(heddle::device_reduce(between, length, out.data(), AddSums(), Sums{}) == cudaSuccess);
    const Sums found = out.values()[0];
    REQUIRE(sameBits(found, onHost(host.data(), length, AddSums(), Sums{})));
    checksum.add(found);
  }
  checksum.print("device_reduce between lines", "Sums");
}

template <class T> void checkSums(const char* type) {
  checkDevice("device_reduce plus", type, heddle::plus(), T(3));
}
template <class T> void checkNumbers(const char* type) {
  checkSums<T>(type);
  checkDevice("device_reduce minimum", type, heddle::minimum(), T(100));
  checkDevice("device_reduce maximum", type, heddle::maximum(), T(0));
}

/// A line for `half` types would be missing where there are none: they are only checked.
template <class T, class Widen> void checkNarrow(Widen widen) {
  std::vector<T> host(longest);
  double sum = 0, least = 1e9;
  for (size_t i = 0; i < longest; ++i) {
    host[i] = T(static_cast<float>(element<int>(static_cast<uint32_t>(i))) * 0.25f + 0.001f);
    sum += widen(host[i]);
    least = std::fmin(least, widen(host[i]));
  }
  DeviceVector<T> in(host);
  DeviceVector<T> out(size_t{1});
  REQUIRE(heddle::device_reduce(in.data(), longest, out.data(), heddle::plus(), T(0.0f)) ==
          cudaSuccess);
  REQUIRE(std::fabs(widen(out.values()[0]) - sum) <= std::fabs(sum) / 256); // rounded once
  REQUIRE(heddle::device_reduce(in.data(), longest, out.data(), heddle::minimum(), T(9.0f)) ==
          cudaSuccess);
  REQUIRE(widen(out.values()[0]) == least);
}

/// Sums that round: equal bits in every run, from any workspace, whatever ran before.
void checkRepeats() {
  std::vector<float> host(longest);
  for (size_t i = 0; i < longest; ++i)
    host[i] = static_cast<float>(scrambled(static_cast<uint32_t>(i))) / 3.0f;
  DeviceVector<float> in(host);
  DeviceVector<float> out(size_t{1});
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  for (const size_t length : {size_t{1000}, size_t{65537}, longest}) {
    float first = 0;
    for (int run = 0; run < 4; ++run) {
      REQUIRE(heddle::device_reduce(in.data(), length, out.data(), heddle::plus(), 0.0f, stream) ==
              cudaSuccess);
      REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
      const float found = out.values()[0];
      first = run == 0 ? found : first;
      REQUIRE(sameBits(found, first));
    }
    double sum = 0;
    for (size_t i = 0; i < length; ++i)
      sum += host[i];
    REQUIRE(std::fabs(first - sum) <= 1e-6 * sum);
  }
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  std::printf("equal bits in every run\n");
}

template <class T, class Op> __global__ void reduceWarps(const T* in, T* out, Op op) {
  const T whole = heddle::warp_reduce(in[threadIdx.x], op);
  if (threadIdx.x == 0)
    out[0] = whole;
  for (int valid = 1; valid <= 32; ++valid) {
    const T part = heddle::warp_reduce(in[threadIdx.x], op, valid);
    if (threadIdx.x == 0)
      out[valid] = part;
  }
}

template <class T, class Op> void checkWarp(const char* what, const char* type, Op op) {
  const std::vector<T> host = elements<T>(32);
  DeviceVector<T> in(host);
  DeviceVector<T> out(size_t{33});
  reduceWarps<<<1, 32>>>(in.data(), out.data(), op);
  const std::vector<T> found = out.values();
  Checksum checksum;
  for (size_t valid = 1; valid <= 32; ++valid) {
    REQUIRE(sameBits(found[valid], onHost(host.data() + 1, valid - 1, op, host[0])));
    checksum.add(found[valid]);
  }
  REQUIRE(sameBits(found[0], found[32]));
  checksum.print(what, type);
}

template <int Threads, class T, class Op>
__global__ void reduceBlock(const T* in, T* out, Op op, int valid) {
  __shared__ heddle::block_reduce_storage<T, Threads> storage;
  const T whole = heddle::block_reduce(in[threadIdx.x], storage, op);
  __syncthreads(); // the storage is used again
  const T part = heddle::block_reduce(in[threadIdx.x], storage, op, valid);
  if (threadIdx.x == 0) {
    out[0] = whole;
    out[1] = part;
  }
}

template <int Threads, class T, class Op>
void checkBlock(const std::vector<T>& host, Op op, Checksum& checksum) {
  DeviceVector<T> in(host);
  DeviceVector<T> out(size_t{2});
  for (const int valid : {1, 2, 31, 32, 33, 63, 64, Threads / 2 + 1, Threads - 1, Threads}) {
    if (valid > Threads)
      continue;
    reduceBlock<Threads><<<1, Threads>>>(in.data(), out.data(), op, valid);
    const std::vector<T> found = out.values();
    const auto first = [&](int count) { return onHost(host.data() + 1, count - 1, op, host[0]); };
    REQUIRE(sameBits(found[0], first(Threads)));
    REQUIRE(sameBits(found[1], first(valid)));
    checksum.add(found[1]);
  }
}

template <class T, class Op> void checkBlocks(const char* what, const char* type, Op op) {
  const std::vector<T> host = elements<T>(1024);
  Checksum checksum;
  checkBlock<32>(host, op, checksum);
  checkBlock<64>(host, op, checksum);
  checkBlock<96>(host, op, checksum);
  checkBlock<128>(host, op, checksum);
  checkBlock<256>(host, op, checksum);
  checkBlock<512>(host, op, checksum);
  checkBlock<736>(host, op, checksum);
  checkBlock<1024>(host, op, checksum);
  checksum.print(what, type);
}

template <int Rung, int Threads, class T> void checkRung(Checksum& checksum) {
  constexpr size_t most = 100001;
  const std::vector<T> host = elements<T>(most);
  DeviceVector<T> in(host), even(most / Threads + 1), odd(most / Threads + 1);
  for (const size_t length : {size_t{0}, size_t{1}, size_t{63}, size_t{2048}, size_t{2049}, most}) {
    T* const sums[2] = {even.data(), odd.data()};
    T* where = nullptr;
    REQUIRE((heddle::ladder::add<Rung, Threads>(in.data(), static_cast<unsigned>(length), sums,
                                                &where)) == cudaSuccess);
    const T found = (where == even.data() ? even : odd).values()[0];
    REQUIRE(found == onHost(host.data(), length, heddle::plus(), T(0)));
    checksum.add(found);
  }
}

template <int Rung> void checkLadder(const char* what) {
  Checksum checksum;
  checkRung<Rung, 64, int>(checksum);
  checkRung<Rung, 256, float>(checksum);
  checkRung<Rung, 1024, int>(checksum);
  checksum.print(what, "");
}

/// More elements than an int can count, each 1.
void checkHuge() {
  const size_t length = (size_t{1} << 31) + 12345;
  DeviceVector<unsigned char> in(length);
  DeviceVector<unsigned char> out(size_t{1});
  REQUIRE(cudaMemset(in.data(), 1, length) == cudaSuccess);
  REQUIRE(cudaMemset(in.data() + length - 1, 5, 1) == cudaSuccess);
  const auto reduce = [&](auto op) {
    REQUIRE(heddle::device_reduce(in.data() + 1, length - 1, out.data(), op,
                                  static_cast<unsigned char>(0)) == cudaSuccess);
    return out.values()[0];
  };
  REQUIRE(reduce(heddle::plus()) == static_cast<unsigned char>(length + 3));
  REQUIRE(reduce(heddle::maximum()) == 5);
}

int main(int argc, char**) {
  checkNumbers<int8_t>("int8");
  checkSums<uint8_t>("uint8");
  checkSums<int16_t>("int16");
  checkNumbers<uint16_t>("uint16");
  checkNumbers<int32_t>("int32");
  checkSums<uint32_t>("uint32");
  checkSums<int64_t>("int64");
  checkNumbers<uint64_t>("uint64");
  checkNumbers<float>("float");
  checkNumbers<double>("double");
  checkDevice("device_reduce own", "Tally", JoinTallies(), Tally{1, 2, 3});
  checkDevice("device_reduce own", "Sums", AddSums(), Sums{{1, 2, 3, 4}});
  checkBetweenLines();
#ifdef HEDDLE_HAS_HALF
  checkNarrow<__half>([](__half x) { return static_cast<double>(__half2float(x)); });
#endif
#ifdef HEDDLE_HAS_BFLOAT16
  checkNarrow<__nv_bfloat16>([](__nv_bfloat16 x) { return double(__bfloat162float(x)); });
#endif
  checkRepeats();
  checkWarp<int8_t>("warp_reduce plus", "int8", heddle::plus());
  checkWarp<int>("warp_reduce plus", "int32", heddle::plus());
  checkWarp<unsigned>("warp_reduce minimum", "uint32", heddle::minimum());
  checkWarp<short>("warp_reduce maximum", "int16", heddle::maximum());
  checkWarp<double>("warp_reduce plus", "double", heddle::plus());
  checkWarp<Tally>("warp_reduce own", "Tally", JoinTallies());
  checkWarp<Affine>("warp_reduce in order", "Affine", Compose());
  checkBlocks<int>("block_reduce plus", "int32", heddle::plus());
  checkBlocks<float>("block_reduce minimum", "float", heddle::minimum());
  checkBlocks<double>("block_reduce plus", "double", heddle::plus());
  checkBlocks<Affine>("block_reduce in order", "Affine", Compose());
  checkLadder<1>("ladder 1 naive");
  checkLadder<2>("ladder 2 index based");
  checkLadder<3>("ladder 3 sequential");
  checkLadder<4>("ladder 4 add while loading");
  checkLadder<5>("ladder 5 unrolled warp");
  if (argc > 1)
    checkHuge();
  std::printf("PASS\n");
}
