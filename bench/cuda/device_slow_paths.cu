// SPDX-License-Identifier: Apache-2.0
//
// For which operands a division or a root takes the long way: ptxas writes a short sequence for the usual ones, and a
// call for those that are too large, too small or zero. All exponents are tried; a long one is told by its cycles.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_slow_paths.cu -o device_slow_paths && ./device_slow_paths
#include "device.cuh"

#include <map>
#include <string>

namespace {

enum class Operation { Divide, Invert, Root };

template <class T> __device__ T valueOf(int exponent, unsigned mantissa);
template <> __device__ float valueOf(int exponent, unsigned mantissa) {
  return __int_as_float(exponent << 23 | int(mantissa << 22));
}
template <> __device__ double valueOf(int exponent, unsigned mantissa) {
  return __hiloint2double(exponent << 20 | int(mantissa << 19), 0);
}

template <Operation operation, class T> __device__ T resultOf(T a, T b) {
  if constexpr (operation == Operation::Divide)
    return a / b;
  else if constexpr (operation == Operation::Invert)
    return T(1) / b;
  else
    return sqrt(b);
}

/// Cycles for each pair of exponents, of one warp.
template <Operation operation, class T>
__global__ void timePairs(int numerators, unsigned mantissa, unsigned short* cycles, const int* nothing, T* sink) {
  const int eb = int(blockIdx.x);
  T sum = 0;
  for (int ea = 0; ea < numerators; ++ea) {
    const int zero = *(volatile int*)nothing; // or the compiler takes what stays the same out of the loop
    const T a = valueOf<T>(ea + zero, mantissa), b = valueOf<T>(eb + zero, mantissa);
    const long long begin = clock64();
    const T result = resultOf<operation>(a, b);
    sum += result;
    *(volatile T*)sink = result;
    const long long end = clock64();
    cycles[eb * numerators + ea] = (unsigned short)min(end - begin, 65535ll);
  }
  if (sum == T(12345))
    *sink = sum;
}

/// Ranges of numerators that take at least half as long again. Borders inside are given from the denominator's exponent, `e`.
std::string slowOnes(const unsigned short* cycles, int numerators, int usual, int eb) {
  std::string ranges;
  const auto border = [&](int ea) {
    const bool isFixed = ea < 64 || ea == numerators - 1 || numerators == 1;
    return isFixed ? std::to_string(ea) : "e" + std::string(ea >= eb ? "+" : "") + std::to_string(ea - eb);
  };
  for (int ea = 0, begin = -1; ea <= numerators; ++ea) {
    const bool isSlow = ea < numerators && cycles[ea] > usual + usual / 2;
    if (isSlow && begin < 0)
      begin = ea;
    if (!isSlow && begin >= 0) {
      ranges += " " + border(begin) + ".." + border(ea - 1);
      begin = -1;
    }
  }
  return ranges.empty() ? " none" : ranges;
}

template <Operation operation, class T> void report(const char* what, int exponents, unsigned mantissa) {
  const int numerators = operation == Operation::Divide ? exponents : 1;
  auto* cycles = device::array<unsigned short>(std::size_t(exponents) * numerators);
  auto* sink = device::array<T>(1);
  auto* nothing = device::array<int>(1);
  std::vector<unsigned short> found(std::size_t(exponents) * numerators);
  std::vector<unsigned short> once(found.size());
  std::fill(found.begin(), found.end(), (unsigned short)65535);
  for (int repeat = 0; repeat < 8; ++repeat) { // the shortest: others were in the way
    timePairs<operation, T><<<exponents, 1>>>(numerators, mantissa, cycles, nothing, sink);
    CHECK(cudaMemcpy(once.data(), cycles, found.size() * sizeof(found[0]), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = std::min(found[i], once[i]);
  }
  const auto usual = found[std::size_t(exponents / 2) * numerators + numerators / 2];
  std::printf("%s, mantissa 1.%u: usually %d cycles\n", what, 5 * mantissa, int(usual));
  std::string last;
  for (int eb = 0, from = 0; eb <= exponents; ++eb) {
    const std::string ranges = eb < exponents ? slowOnes(&found[std::size_t(eb) * numerators], numerators, usual, eb) : "end";
    if (eb > 0 && ranges != last)
      std::printf("  denominator %4d to %4d:%s\n", from, eb - 1, last.c_str());
    from = ranges != last ? eb : from;
    last = ranges;
  }
}

} // namespace

int main() {
  for (const unsigned mantissa : {0u, 1u}) {
    report<Operation::Divide, float>("float, a / b", 256, mantissa);
    report<Operation::Invert, float>("float, 1 / b", 256, mantissa);
    report<Operation::Root, float>("float, sqrt(b)", 256, mantissa);
    report<Operation::Divide, double>("double, a / b", 2048, mantissa);
    report<Operation::Invert, double>("double, 1 / b", 2048, mantissa);
    report<Operation::Root, double>("double, sqrt(b)", 2048, mantissa);
  }
}
