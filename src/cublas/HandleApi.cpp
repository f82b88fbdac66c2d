// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS: handles, statuses, and copies of vectors and matrices between host and device.
#include "cublas/CublasCall.h"

#include <new>

using namespace heddle::cublas;
namespace cudart = heddle::cudart;

namespace {

/// Sets or tells one field of a handle.
template <class T> cublasStatus_t set(cublasHandle_t handle, T cublasContext::* field, T value) {
  if (handle == nullptr)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> cublasStatus_t get(cublasHandle_t handle, T cublasContext::* field, T* value) {
  if (handle == nullptr)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

/// A copy of `count` pieces of `size` bytes, `from` and `to` bytes apart.
cublasStatus_t copyPieces(int count, long size, const void* from, long fromStep, void* to,
                          long toStep, cudaMemcpyKind kind) {
  if (count < 0 || size <= 0 || fromStep < size || toStep < size)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cudaError_t error = cudaMemcpy2D(to, std::size_t(toStep), from, std::size_t(fromStep),
                                         std::size_t(size), std::size_t(count), kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};

constexpr StatusText texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device architecture"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license and an error was detected"},
};

const StatusText* find(cublasStatus_t status) {
  for (const StatusText& each : texts)
    if (each.status == status)
      return &each;
  return nullptr;
}

} // namespace

HEDDLE_API cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new (std::nothrow) cublasContext;
  return *handle == nullptr ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

HEDDLE_API cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

HEDDLE_API cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (version == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

HEDDLE_API cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}

HEDDLE_API cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}

HEDDLE_API cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointers, mode);
}

HEDDLE_API cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointers, mode);
}

HEDDLE_API cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics, mode);
}

HEDDLE_API cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics, mode);
}

/// The sums are those of plain float and double, whatever is allowed.
HEDDLE_API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math, mode);
}

HEDDLE_API cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math, mode);
}

/// None is needed.
HEDDLE_API cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

HEDDLE_API const char* cublasGetStatusName(cublasStatus_t status) {
  const StatusText* const found = find(status);
  return found == nullptr ? "CUBLAS_UNKNOWN_STATUS" : found->name;
}

HEDDLE_API const char* cublasGetStatusString(cublasStatus_t status) {
  const StatusText* const found = find(status);
  return found == nullptr ? "unknown cublasStatus" : found->text;
}

HEDDLE_API cublasStatus_t cublasSetVector(int n, int elementSize, const void* from, int fromStep,
                                          void* to, int toStep) {
  return copyPieces(n, elementSize, from, long(fromStep) * elementSize, to,
                    long(toStep) * elementSize, cudaMemcpyHostToDevice);
}

HEDDLE_API cublasStatus_t cublasGetVector(int n, int elementSize, const void* from, int fromStep,
                                          void* to, int toStep) {
  return copyPieces(n, elementSize, from, long(fromStep) * elementSize, to,
                    long(toStep) * elementSize, cudaMemcpyDeviceToHost);
}

HEDDLE_API cublasStatus_t cublasSetMatrix(int rows, int columns, int elementSize, const void* from,
                                          int fromLd, void* to, int toLd) {
  return copyPieces(columns, long(rows) * elementSize, from, long(fromLd) * elementSize, to,
                    long(toLd) * elementSize, cudaMemcpyHostToDevice);
}

HEDDLE_API cublasStatus_t cublasGetMatrix(int rows, int columns, int elementSize, const void* from,
                                          int fromLd, void* to, int toLd) {
  return copyPieces(columns, long(rows) * elementSize, from, long(fromLd) * elementSize, to,
                    long(toLd) * elementSize, cudaMemcpyDeviceToHost);
}
