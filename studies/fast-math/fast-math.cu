// SPDX-License-Identifier: Apache-2.0
//
// The two kinds of math functions in single precision: `sinf` and its like, several instructions
// and at most 5 ulp off, and `__sinf` and its like, which map to the hardware and are faster and
// less accurate. Errors are in units in the last place, against double precision on the host; time
// is per call with the multiprocessors full.
//
//   heddle run studies/fast-math/fast-math.cu --device h200 -- --elements 16384 --rounds 8
#include "../../bench/cuda/benchmark.cuh"

constexpr int blockSize = 256;

// One struct for each function: both kinds, the reference, and the range of its argument.
struct Sine {
  static constexpr float low = -3.1f, high = 3.1f;
  static __device__ float precise(float x) { return sinf(x); }
  static __device__ float fast(float x) { return __sinf(x); }
  static double reference(double x) { return std::sin(x); }
};
struct Cosine {
  static constexpr float low = -3.1f, high = 3.1f;
  static __device__ float precise(float x) { return cosf(x); }
  static __device__ float fast(float x) { return __cosf(x); }
  static double reference(double x) { return std::cos(x); }
};
struct Exponential {
  static constexpr float low = -20.0f, high = 20.0f;
  static __device__ float precise(float x) { return expf(x); }
  static __device__ float fast(float x) { return __expf(x); }
  static double reference(double x) { return std::exp(x); }
};
struct Logarithm {
  static constexpr float low = 0.1f, high = 100.0f;
  static __device__ float precise(float x) { return logf(x); }
  static __device__ float fast(float x) { return __logf(x); }
  static double reference(double x) { return std::log(x); }
};
struct Power {
  static constexpr float low = 0.1f, high = 100.0f;
  static __device__ float precise(float x) { return powf(x, 3.7f); }
  static __device__ float fast(float x) { return __powf(x, 3.7f); }
  static double reference(double x) { return std::pow(x, static_cast<double>(3.7f)); }
};
struct Quotient {
  static constexpr float low = 0.1f, high = 100.0f;
  static __device__ float precise(float x) { return __fdiv_rn(3.7f, x); }
  static __device__ float fast(float x) { return __fdividef(3.7f, x); }
  static double reference(double x) { return static_cast<double>(3.7f) / x; }
};

template <class F, bool Fast> __device__ float call(float x) {
  return Fast ? F::fast(x) : F::precise(x);
}

template <class F, bool Fast> __global__ void evaluate(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = call<F, Fast>(in[i]);
}

/// Many calls for each load, so that the calls are what is timed. The arguments stay in the
/// function's range.
template <class F, bool Fast>
__global__ void evaluateOften(const float* in, float* out, int rounds, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    sum += call<F, Fast>(x);
    x = fmaf(x, step, 0.1f * step);
  }
  out[i] = sum;
}

std::vector<float> spread(float low, float high, int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = low + (high - low) * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  return values;
}

/// Distance from the exact result, in spacings of the floats around it.
double ulps(float found, double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::abs(found - exact) / std::ldexp(1.0, exponent - 24);
}

struct Setting {
  int elements, rounds;
  int repeats;
  bool records;
};

template <class F, bool Fast>
void measure(const char* function, int index, const Setting& setting) {
  const std::vector<float> in = spread(F::low, F::high, setting.elements);
  study::DeviceArray<float> input(in), output(setting.elements);
  output.fillWithNaN();
  evaluate<F, Fast><<<setting.elements / blockSize, blockSize>>>(input.data(), output.data());
  STUDY_CHECK(cudaGetLastError());
  const std::vector<float> found = output.values();
  double largest = 0, sum = 0;
  for (int i = 0; i < setting.elements; ++i) {
    const double error = ulps(found[i], F::reference(in[i]));
    study::require(std::abs(found[i] - F::reference(in[i])) <
                       1e-4 * std::max(1.0, std::abs(F::reference(in[i]))),
                   std::string(function) + " of " + std::to_string(in[i]));
    largest = std::max(largest, error);
    sum += error;
  }
  const double time = study::workMicroseconds(setting.repeats, [&] {
    evaluateOften<F, Fast><<<setting.elements / blockSize, blockSize>>>(input.data(), output.data(),
                                                                        setting.rounds, 0.9f);
  });
  study::Row(Fast ? "fast" : "precise")
      .set("function", function)
      .set("index", index)
      .set("largestUlps", largest)
      .set("meanUlps", sum / setting.elements)
      .set("picosecondsPerCall", 1e6 * time / setting.elements / setting.rounds)
      .print();
}

/// The fast kind over the precise one.
template <class F> void record(const char* function, const Setting& setting) {
  study::DeviceArray<float> input(spread(F::low, F::high, setting.elements));
  study::DeviceArray<float> precise(setting.elements), fast(setting.elements);
  const int blocks = setting.elements / blockSize;
  benchmark::compareAll(
      "precise",
      [&](int) {
        evaluateOften<F, false>
            <<<blocks, blockSize>>>(input.data(), precise.data(), setting.rounds, 0.9f);
      },
      {{benchmark::Record("fast-math").set("function", function),
        [&](int) {
          evaluateOften<F, true>
              <<<blocks, blockSize>>>(input.data(), fast.data(), setting.rounds, 0.9f);
        }}},
      setting.repeats);
  const std::vector<float> exact = precise.values(), found = fast.values();
  for (int i = 0; i < setting.elements; ++i)
    study::require(std::abs(found[i] - exact[i]) <= 1e-3f * std::max(1.0f, std::abs(exact[i])),
                   std::string(function) + ": the kinds differ in element " + std::to_string(i));
}

template <class F> void measureBoth(const char* function, int index, const Setting& setting) {
  if (setting.records)
    return record<F>(function, setting);
  measure<F, false>(function, index, setting);
  measure<F, true>(function, index, setting);
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Setting setting{};
  setting.elements = static_cast<int>(arguments.number("elements", 1 << 20));
  setting.rounds = static_cast<int>(arguments.number("rounds", 128));
  setting.repeats = arguments.repeats();
  setting.records = arguments.records();
  arguments.done();
  if (setting.elements % blockSize != 0)
    study::stop(2, "--elements must be a multiple of 256");
  measureBoth<Sine>("sin", 0, setting);
  measureBoth<Cosine>("cos", 1, setting);
  measureBoth<Exponential>("exp", 2, setting);
  measureBoth<Logarithm>("log", 3, setting);
  measureBoth<Power>("pow", 4, setting);
  measureBoth<Quotient>("divide", 5, setting);
}
