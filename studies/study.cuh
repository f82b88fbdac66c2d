// SPDX-License-Identifier: Apache-2.0
//
// What every study needs besides its kernels: named arguments, device arrays, event times,
// occupancy, and rows of JSON. A study prints one flat object a line on stdout; all else goes to
// stderr.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace study {

/// Ends the program: 1 when a result is wrong, 2 when the program cannot run.
[[noreturn]] inline void stop(int status, const std::string& message) {
  std::fprintf(stderr, "study: %s\n", message.c_str());
  std::exit(status);
}

/// A result of the device is not what it must be.
inline void require(bool holds, const std::string& message) {
  if (!holds)
    stop(1, "wrong result: " + message);
}

inline void checkCall(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess)
    stop(2, std::string(call) + " failed: " + cudaGetErrorName(status) + ", " +
                cudaGetErrorString(status) + " (" + file + ":" + std::to_string(line) + ")");
}
#define STUDY_CHECK(call) study::checkCall((call), #call, __FILE__, __LINE__)

/// The arguments of a study: pairs `--name number`. A name that no `number` call asked for ends the
/// program in `done`.
class Arguments {
public:
  Arguments(int count, char** values) {
    for (int i = 1; i < count; i += 2) {
      const std::string name = values[i];
      if (name.rfind("--", 0) != 0 || i + 1 == count)
        stop(2, "expected '--name number', found '" + name + "'");
      given_.push_back({name.substr(2), std::atoll(values[i + 1]), false});
    }
  }
  long long number(const std::string& name, long long otherwise) {
    for (Given& given : given_)
      if (given.name == name) {
        given.known = true;
        if (given.value < 1)
          stop(2, "--" + name + " must be at least 1");
        otherwise = given.value;
      }
    return otherwise;
  }
  /// Whether the study's speedups are asked for as records, in place of its rows.
  bool records() { return number("records", 0) == 1; }
  /// How often to launch what is timed. Once is enough where time is modelled, but records are
  /// meant to be measured.
  int repeats() { return static_cast<int>(number("repeats", records() ? 21 : 1)); }
  void done() const {
    for (const Given& given : given_)
      if (!given.known)
        stop(2, "unknown argument --" + given.name);
  }

private:
  struct Given {
    std::string name;
    long long value;
    bool known;
  };
  std::vector<Given> given_;
};

/// One measurement: `Row("split").set("x", 1).set("y", 2.5).print();`
class Row {
public:
  explicit Row(const std::string& series) { set("series", series); }
  Row& set(const std::string& name, const std::string& value) {
    return put(name, '"' + value + '"');
  }
  Row& set(const std::string& name, const char* value) { return set(name, std::string(value)); }
  Row& set(const std::string& name, bool value) { return put(name, value ? "true" : "false"); }
  Row& set(const std::string& name, int value) { return put(name, std::to_string(value)); }
  Row& set(const std::string& name, long long value) { return put(name, std::to_string(value)); }
  Row& set(const std::string& name, double value) {
    if (!std::isfinite(value)) // JSON has no word for it
      stop(1, name + " is not a finite number");
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return put(name, text);
  }
  void print() const { std::printf("{%s}\n", text_.c_str()); }

private:
  Row& put(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "\"" : ", \"") + name + "\": " + value;
    return *this;
  }
  std::string text_;
};

/// Memory on the device, freed at the end of the scope.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t size) : size_(size) {
    STUDY_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    copyFrom(values);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() { return data_; }
  void copyFrom(const std::vector<T>& values) {
    STUDY_CHECK(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  void clear() { STUDY_CHECK(cudaMemset(data_, 0, size_ * sizeof(T))); }
  /// Every byte 0xff, a NaN in any floating-point type.
  void fillWithNaN() { STUDY_CHECK(cudaMemset(data_, 0xff, size_ * sizeof(T))); }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    STUDY_CHECK(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

private:
  T* data_ = nullptr;
  size_t size_;
};

/// Microseconds between two events around `launch`. With repeats the best of them, after one run to
/// warm up; a single run, enough where time is modelled, is not warmed up.
template <class Launch> double microseconds(int repeats, const Launch& launch) {
  cudaEvent_t begin, end;
  STUDY_CHECK(cudaEventCreate(&begin));
  STUDY_CHECK(cudaEventCreate(&end));
  double best = INFINITY;
  for (int run = repeats > 1 ? -1 : 0; run < repeats; ++run) {
    float milliseconds = 0;
    STUDY_CHECK(cudaEventRecord(begin));
    launch();
    STUDY_CHECK(cudaGetLastError());
    STUDY_CHECK(cudaEventRecord(end));
    STUDY_CHECK(cudaEventSynchronize(end));
    STUDY_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (run >= 0)
      best = std::min(best, milliseconds * 1e3);
  }
  STUDY_CHECK(cudaEventDestroy(begin));
  STUDY_CHECK(cudaEventDestroy(end));
  return best;
}

static __global__ void emptyKernel() {}

/// The same without what a launch takes by itself, for kernels as short as that.
template <class Launch> double workMicroseconds(int repeats, const Launch& launch) {
  const double empty = microseconds(repeats, [] { emptyKernel<<<1, 32>>>(); });
  const double whole = microseconds(repeats, launch);
  return std::max(whole - empty, 1e-3); // a nanosecond: times of such kernels end up in quotients
}

inline int deviceAttribute(cudaDeviceAttr attribute) {
  int value = 0;
  STUDY_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}
inline int multiprocessors() {
  return deviceAttribute(cudaDevAttrMultiProcessorCount);
}
inline double cyclesPerMicrosecond() {
  return deviceAttribute(cudaDevAttrClockRate) / 1e3;
}

/// What a kernel takes of a multiprocessor, and how much of it the kernel fills.
struct Residency {
  int registers, blocks, warps;
  double occupancy;
};
template <class Kernel> Residency residency(Kernel kernel, int threads) {
  cudaFuncAttributes attributes;
  STUDY_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  Residency found{};
  found.registers = attributes.numRegs;
  STUDY_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found.blocks, kernel, threads, 0));
  found.warps = found.blocks * ((threads + 31) / 32);
  found.occupancy = 32.0 * found.warps / deviceAttribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  return found;
}

/// Slope of the least-squares line through the points.
inline double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double meanX = 0, meanY = 0, above = 0, below = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    meanX += x[i] / static_cast<double>(x.size());
    meanY += y[i] / static_cast<double>(x.size());
  }
  for (size_t i = 0; i < x.size(); ++i) {
    above += (x[i] - meanX) * (y[i] - meanY);
    below += (x[i] - meanX) * (x[i] - meanX);
  }
  return above / below;
}

} // namespace study
