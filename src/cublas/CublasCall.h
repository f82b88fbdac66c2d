// SPDX-License-Identifier: Apache-2.0
//
// What every function of cuBLAS does first: finds its handle, opens device memory, and makes sure
// that the arrays it is given lie there. One that does not would be a fault on a GPU; it ends the
// program with a message that names the function and the argument.
#pragma once

#include "cudart/Ending.h"
#include "cudart/FirstTouches.h"

#include <cublas_v2.h>
#include <fmt/format.h>

#include <cstdlib>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace heddle::cublas {

/// The arguments of one call.
class Arguments {
public:
  Arguments(cudart::Runtime& runtime, const cublasContext& context, const char* function)
      : runtime_(runtime), context_(context), function_(function) {}

  template <class T> void array(const T* begin, std::size_t count, const char* name) const {
    if (count > 0)
      checkDevice(begin, count * sizeof(T), name);
  }
  /// `n` elements, `step` apart; a negative step goes backwards from the last.
  template <class T> void vector(const T* x, int n, int step, const char* name) const {
    array(x, n == 0 ? 0 : std::size_t(n - 1) * std::size_t(std::abs(step)) + 1, name);
  }
  template <class T>
  void matrix(const T* a, int rows, int columns, int ld, const char* name) const {
    const bool none = rows == 0 || columns == 0;
    array(a, none ? 0 : std::size_t(columns - 1) * std::size_t(ld) + std::size_t(rows), name);
  }
  /// A factor or a result: where the handle says.
  template <class T> T& scalar(T* value, const char* name) const {
    if (context_.pointers == CUBLAS_POINTER_MODE_DEVICE)
      array(value, 1, name);
    return *value;
  }

  /// The same where only its size is known.
  void scalarBytes(const void* value, std::size_t size, const char* name) const {
    if (context_.pointers == CUBLAS_POINTER_MODE_DEVICE)
      array(static_cast<const char*>(value), size, name);
  }

private:
  void checkDevice(const void* begin, std::size_t size, const char* name) const {
    if (runtime_.memory.classify(begin, size) == cudart::RangeKind::Known)
      return;
    cudart::endWithFault(fmt::format("{}: {}: {} bytes at {} are not all memory of the device",
                                     function_, name, size, begin));
  }

  cudart::Runtime& runtime_;
  const cublasContext& context_;
  const char* function_;
};

/// Runs the body with its arguments; `valid` says whether sizes and steps make sense.
template <class Body>
cublasStatus_t run(cublasHandle_t handle, const char* function, bool valid, Body body) {
  if (handle == nullptr)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cudaError_t error = cudart::call([&](cudart::Runtime& runtime) {
    const cudart::DeviceWork work(runtime);
    body(Arguments(runtime, *handle, function));
    return cudaSuccess;
  });
  return error == cudaSuccess                 ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace heddle::cublas
