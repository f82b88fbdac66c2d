// SPDX-License-Identifier: Apache-2.0
//
// What the programs of bench/cuda/lanes share: repeatable inputs, device buffers, and a line of
// output for every kernel. A program launches each of its kernels once:
//
//   lanes::Random random(7);
//   lanes::Buffer<int> in(count, [&](size_t) { return random.below(100); }), out(count);
//   kernel<<<blocks, threads>>>(in.data(), out.data(), count);
//   lanes::report("kernel", out);                        // prints "kernel CHECKSUM"
//   lanes::check("kernel", out.host() == expected);      // prints "kernel PASS" or "kernel FAIL"
//   return lanes::status();
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define LANES_CALL(call) ::lanes::must((call), #call, __FILE__, __LINE__)

namespace lanes {

inline void must(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(2);
}

/// A generator for the inputs: the same numbers on every machine. 64-bit LCG, upper half.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {
    next();
  }
  uint32_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state_ >> 32);
  }
  /// A number of [0, limit).
  int below(int limit) {
    return static_cast<int>((static_cast<uint64_t>(next()) * static_cast<uint32_t>(limit)) >> 32);
  }
  /// A number of [low, high].
  int between(int low, int high) { return low + below(high - low + 1); }
  /// A number of [0, 1).
  float unit() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }
  float within(float low, float high) { return low + (high - low) * unit(); }

private:
  uint64_t state_;
};

/// An array on the device. Starts as zeros, as f(i), or as a copy of a vector.
template <class T> class Buffer {
public:
  explicit Buffer(size_t count) : Buffer(std::vector<T>(count)) {}
  template <class Fill> Buffer(size_t count, Fill&& fill) : Buffer(filled(count, fill)) {}
  explicit Buffer(const std::vector<T>& from) : count_(from.size()) {
    LANES_CALL(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    LANES_CALL(cudaMemcpy(data_, from.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return count_; }

  /// Waits for the kernels launched so far, and reads back.
  std::vector<T> host() const {
    LANES_CALL(cudaGetLastError());
    LANES_CALL(cudaDeviceSynchronize());
    std::vector<T> to(count_);
    LANES_CALL(cudaMemcpy(to.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return to;
  }

private:
  template <class Fill> static std::vector<T> filled(size_t count, Fill& fill) {
    std::vector<T> values;
    values.reserve(count);
    for (size_t i = 0; i < count; ++i)
      values.push_back(fill(i));
    return values;
  }
  size_t bytes() const { return count_ * sizeof(T); }

  T* data_ = nullptr;
  size_t count_;
};

inline uint64_t hashBytes(const void* from, size_t bytes, uint64_t hash = 14695981039346656037ull) {
  const unsigned char* at = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ at[i]) * 1099511628211ull;
  return hash;
}

/// The bytes of whole numbers; of floating-point numbers two sums, rounded to three digits, since
/// the last bits of expf and its like, and of multiply-adds, differ from one machine to another.
template <class T> uint64_t checksum(const std::vector<T>& values) {
  if constexpr (std::is_floating_point_v<T>) {
    double size = 0, sum = 0, weighted = 0;
    int64_t odd = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      if (!std::isfinite(value)) {
        ++odd;
        continue;
      }
      size += std::fabs(value);
      sum += value;
      weighted += value * static_cast<double>(i % 61 + 1);
    }
    if (size == 0)
      return hashBytes(&odd, sizeof odd);
    const int64_t parts[] = {std::llround(std::log(size) * 1000), std::llround(sum / size * 1000),
                             std::llround(weighted / size * 100), odd};
    return hashBytes(parts, sizeof parts);
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "a checksum reads the bytes of the values");
    return hashBytes(values.data(), values.size() * sizeof(T));
  }
}

/// Waits for the kernel, and prints its name with the checksum of what it wrote.
template <class T> void report(const char* name, const Buffer<T>& buffer) {
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(checksum(buffer.host())));
}

inline bool& anyFailed() {
  static bool failed = false;
  return failed;
}

inline void check(const char* name, bool right) {
  std::printf("%s %s\n", name, right ? "PASS" : "FAIL");
  if (!right)
    anyFailed() = true;
}

/// What main returns: 0 if every check passed.
inline int status() {
  return anyFailed() ? 1 : 0;
}

/// Whether all but the given share of the values agree to the given relative error. A lane that
/// decides by a rounded number may go another way on another machine: few do.
template <class T>
bool close(const std::vector<T>& found, const std::vector<T>& expected, double error = 1e-3,
           double share = 0.01) {
  if (found.size() != expected.size())
    return false;
  size_t apart = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double a = static_cast<double>(found[i]), b = static_cast<double>(expected[i]);
    const double scale = std::fmax(1e-6, std::fmax(std::fabs(a), std::fabs(b)));
    if (!(std::fabs(a - b) <= error * scale))
      ++apart;
  }
  return static_cast<double>(apart) <= share * static_cast<double>(found.size());
}

/// What f(i) gives for all i, for a check on the host.
template <class T, class Make> std::vector<T> expect(size_t count, Make&& make) {
  std::vector<T> values;
  values.reserve(count);
  for (size_t i = 0; i < count; ++i)
    values.push_back(make(i));
  return values;
}

} // namespace lanes
