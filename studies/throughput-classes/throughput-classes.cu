// SPDX-License-Identifier: Apache-2.0
//
// What an instruction costs by its class. Enough warps run chains of one kind of instruction that
// latency is hidden, and the cycles a multiprocessor needs for one warp's instruction are left: 4
// for adds, shifts, minima and multiply-adds on the lecture's devices, more for a 32-bit integer
// multiplication, far more for a division.
//
//   heddle run studies/throughput-classes/throughput-classes.cu --device 8800gtx -- --rounds 4
#include "../../bench/cuda/benchmark.cuh"

#include <type_traits>

constexpr int warpLanes = 32;
constexpr int blockSize = 256;

// The two that the host lacks; it gets what they must give.
__host__ __device__ int multiply24(int x) {
#ifdef __CUDA_ARCH__
  return __mul24(x, x);
#else
  const long long low =
      static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; // 24 bits and their sign
  return static_cast<int>(low * low);
#endif
}
__host__ __device__ float hardwareSine(float x) {
#ifdef __CUDA_ARCH__
  return __sinf(x);
#else
  return std::sin(x);
#endif
}

// One struct for each class: `count` instructions of the class in one `apply`. Each needs the
// result of the one before, and none can be merged with its neighbours; a and b come with the
// launch, so that nothing is known in advance.
struct FloatAdd {
  using Value = float;
  static constexpr int count = 1;
  static __host__ __device__ float apply(float x, float a, float) { return x + a; }
};
struct FloatMultiply {
  using Value = float;
  static constexpr int count = 1;
  static __host__ __device__ float apply(float x, float a, float) { return x * a; }
};
struct FloatMultiplyAdd {
  using Value = float;
  static constexpr int count = 1;
  static __host__ __device__ float apply(float x, float a, float b) { return fmaf(x, a, b); }
};
struct FloatMinimum { // and an add: a minimum of a minimum would be merged
  using Value = float;
  static constexpr int count = 2;
  static __host__ __device__ float apply(float x, float a, float b) { return fminf(x + a, b); }
};
struct IntegerAdd { // and an exclusive or: sums of sums would be merged
  using Value = int;
  static constexpr int count = 2;
  static __host__ __device__ int apply(int x, int a, int b) { return (x + a) ^ b; }
};
struct IntegerShift { // and an exclusive or, likewise
  using Value = int;
  static constexpr int count = 2;
  static __host__ __device__ int apply(int x, int a, int b) { return (x >> a) ^ b; }
};
struct IntegerMultiply {
  using Value = unsigned;
  static constexpr int count = 1;
  static __host__ __device__ unsigned apply(unsigned x, unsigned, unsigned) { return x * x; }
};
struct Multiply24 {
  using Value = int;
  static constexpr int count = 1;
  static __host__ __device__ int apply(int x, int, int) { return multiply24(x); }
};
struct IntegerDivide { // and a bit, so that no divisor is zero
  using Value = int;
  static constexpr int count = 1;
  static __host__ __device__ int apply(int x, int a, int) { return (a / x) | 1; }
};
struct IntegerModulo {
  using Value = int;
  static constexpr int count = 1;
  static __host__ __device__ int apply(int x, int a, int) { return (a % x) | 1; }
};
struct SpecialFunction {
  using Value = float;
  static constexpr int count = 1;
  static __host__ __device__ float apply(float x, float, float) { return hardwareSine(x); }
};
struct Convert { // to float and back, and an exclusive or: the second time they change nothing
  using Value = int;
  static constexpr int count = 3;
  static __host__ __device__ int apply(int x, int, int b) {
    return static_cast<int>(static_cast<float>(x)) ^ b;
  }
};
struct DoubleMultiplyAdd {
  using Value = double;
  static constexpr int count = 1;
  static __host__ __device__ double apply(double x, double a, double b) { return fma(x, a, b); }
};

constexpr int perRound = 32;

template <class Op>
__host__ __device__ typename Op::Value runChain(int thread, int rounds, typename Op::Value a,
                                                typename Op::Value b) {
  auto x = static_cast<typename Op::Value>(thread | 1);
  if (std::is_same_v<Op, SpecialFunction>) // the hardware is inexact for large arguments
    x = 1 / x;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < perRound; ++i)
      x = Op::apply(x, a, b);
  return x;
}

template <class Op>
__global__ void chain(typename Op::Value* results, int rounds, typename Op::Value a,
                      typename Op::Value b) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] = runChain<Op>(thread, rounds, a, b);
}

struct Setting {
  int rounds;
  int repeats;
};

/// A full device of chains of one kind.
template <class Op> class Chains {
public:
  using Value = typename Op::Value;
  Chains(const char* name, Value a, Value b)
      : name_(name), a_(a), b_(b), residency_(study::residency(chain<Op>, blockSize)),
        blocks_(residency_.blocks * study::multiprocessors()),
        results_(static_cast<size_t>(blocks_) * blockSize) {}

  const char* name() const { return name_; }
  int warps() const { return residency_.warps; }
  void launch(int rounds) { chain<Op><<<blocks_, blockSize>>>(results_.data(), rounds, a_, b_); }
  /// Holds some results of the last launch against the host's. A special function is off by 2^-21
  /// each time.
  void check(int rounds) const {
    const double off = std::is_same_v<Op, SpecialFunction> ? rounds * perRound / 2097152.0 : 0;
    const std::vector<Value> found = results_.values();
    for (size_t i = 0; i < found.size(); i += 61) {
      const Value expected = runChain<Op>(static_cast<int>(i), rounds, a_, b_);
      study::require(std::abs(static_cast<double>(found[i]) - static_cast<double>(expected)) <= off,
                     std::string(name_) + ", thread " + std::to_string(i));
    }
  }

private:
  const char* name_;
  Value a_, b_;
  study::Residency residency_;
  int blocks_;
  study::DeviceArray<Value> results_;
};

/// Twice the rounds minus once the rounds: what the launch and the ends of the kernel take drops
/// out.
template <class Op> void measure(Chains<Op>& chains, int index, const Setting& setting) {
  const auto timeOf = [&](int rounds) {
    return study::microseconds(setting.repeats, [&] { chains.launch(rounds); });
  };
  const double once = timeOf(setting.rounds);
  const double time = timeOf(2 * setting.rounds) - once;
  chains.check(2 * setting.rounds);
  const double instructions =
      static_cast<double>(chains.warps()) * setting.rounds * perRound * Op::count;
  const double cycles = time * study::cyclesPerMicrosecond() / instructions;
  study::Row(chains.name())
      .set("index", index)
      .set("warps", chains.warps())
      .set("cyclesPerWarp", cycles)
      .set("lanesPerCycle", warpLanes / cycles)
      .print();
}

/// One class over multiply-adds.
template <class Op> void record(Chains<Op>& chains, const Setting& setting) {
  if (std::is_same_v<Op, FloatMultiplyAdd>)
    return;
  Chains<FloatMultiplyAdd> base("float multiply-add", 0.5f, 3.0f);
  benchmark::compareAll(
      base.name(), [&](int) { base.launch(setting.rounds); },
      {{benchmark::Record("throughput-classes").set("class", chains.name()),
        [&](int) { chains.launch(setting.rounds); }}},
      setting.repeats);
  chains.check(setting.rounds);
}

/// Calls `visit` with the chains of each class the device has, and their number.
template <class Visit> void visitClasses(const Visit& visit) {
  const int large = 1 << 30;
  visit(Chains<FloatAdd>("float add", 0.5f, 0.0f), 0);
  visit(Chains<FloatMultiply>("float multiply", 0.999f, 0.0f), 1);
  visit(Chains<FloatMultiplyAdd>("float multiply-add", 0.5f, 3.0f), 2);
  visit(Chains<FloatMinimum>("float minimum", 0.5f, 1e6f), 3);
  visit(Chains<IntegerAdd>("integer add", 5, 3), 4);
  visit(Chains<IntegerShift>("integer shift", 5, large), 5);
  visit(Chains<IntegerMultiply>("integer multiply", 0, 0), 6);
  visit(Chains<Multiply24>("24-bit multiply", 0, 0), 7);
  visit(Chains<IntegerDivide>("integer divide", large, 0), 8);
  visit(Chains<IntegerModulo>("integer modulo", large, 0), 9);
  visit(Chains<SpecialFunction>("special function", 0.0f, 0.0f), 10);
  visit(Chains<Convert>("convert", 0, 3), 11);
  const int capability = 10 * study::deviceAttribute(cudaDevAttrComputeCapabilityMajor) +
                         study::deviceAttribute(cudaDevAttrComputeCapabilityMinor);
  if (capability >= 13) // earlier devices have no double precision
    visit(Chains<DoubleMultiplyAdd>("double multiply-add", 0.5, 3.0), 12);
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Setting setting{};
  setting.rounds = static_cast<int>(arguments.number("rounds", 128));
  setting.repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  visitClasses([&](auto&& chains, int index) {
    if (records)
      record(chains, setting);
    else
      measure(chains, index, setting);
  });
}
