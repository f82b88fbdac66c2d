// SPDX-License-Identifier: Apache-2.0
//
// What the self-checking programs share: CUDA calls that must succeed, comparisons that say what
// differs, and device arrays that start out poisoned, so that no check passes without its kernel.
#ifndef PROGRAMS_CHECK_H
#define PROGRAMS_CHECK_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

#define CHECK_CUDA(call)                                                                           \
  do {                                                                                             \
    const cudaError_t status_ = (call);                                                            \
    if (status_ != cudaSuccess) {                                                                  \
      printf("FAIL: line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(status_));               \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// After a launch: it began, and it ran to its end.
#define CHECK_LAUNCH()                                                                             \
  do {                                                                                             \
    CHECK_CUDA(cudaGetLastError());                                                                \
    CHECK_CUDA(cudaDeviceSynchronize());                                                           \
  } while (0)

inline int& failures() {
  static int count = 0;
  return count;
}

template <class T> std::string text(T value) {
  char buffer[64];
  if constexpr (std::is_floating_point_v<T>)
    snprintf(buffer, sizeof buffer, "%.17g", static_cast<double>(value));
  else if constexpr (std::is_enum_v<T>)
    snprintf(buffer, sizeof buffer, "%d", static_cast<int>(value));
  else if constexpr (std::is_signed_v<T>)
    snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(value));
  else
    snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(value));
  return buffer;
}

template <class T> void report(const std::string& what, T got, T want) {
  if (failures()++ < 8)
    printf("FAIL: %s is %s, expected %s\n", what.c_str(), text(got).c_str(), text(want).c_str());
}

template <class T> void expectEqual(const std::string& what, T got, std::common_type_t<T> want) {
  if (!(got == want))
    report<T>(what, got, want);
}

inline void expectTrue(const std::string& what, bool holds) {
  if (!holds && failures()++ < 8)
    printf("FAIL: %s does not hold\n", what.c_str());
}

// Equal up to a share of the expected value or an absolute distance; two NaNs are equal.
inline bool isNear(double got, double want, double relative, double absolute) {
  if (std::isnan(want))
    return std::isnan(got);
  return got == want || std::fabs(got - want) <= relative * std::fabs(want) + absolute;
}

inline void expectNear(const std::string& what, double got, double want, double relative,
                       double absolute = 0) {
  if (!isNear(got, want, relative, absolute))
    report<double>(what, got, want);
}

// Every element against want(index).
template <class T, class Want>
void expectArray(const std::string& what, const std::vector<T>& got, Want want) {
  for (size_t i = 0; i < got.size(); ++i)
    expectEqual<T>(what + "[" + std::to_string(i) + "]", got[i], static_cast<T>(want(i)));
}

inline int finish() {
  if (failures() == 0)
    printf("PASS\n");
  else
    printf("FAIL: %d differences\n", failures());
  return failures() == 0 ? 0 : 1;
}

// Memory of the device. It converts to the pointer that a kernel takes.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t size) : size_(size) {
    CHECK_CUDA(cudaMalloc((void**)&data_, size * sizeof(T)));
    CHECK_CUDA(cudaMemset(data_, 0xA5, size * sizeof(T)));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK_CUDA(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  operator T*() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(size_);
    CHECK_CUDA(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

private:
  size_t size_;
  T* data_ = nullptr;
};

#endif
