// SPDX-License-Identifier: Apache-2.0
//
// What clang's host code calls before main, at exit, and around a kernel<<<...>>>(...).
#include "cudart/Ending.h"
#include "cudart/Registry.h"
#include "cudart/Runtime.h"

#include <array>

namespace heddle::cudart {
namespace {

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};

/// Launches inside the arguments of launches. No destructor: a program may launch from destructors
/// that run after those of the thread.
constexpr int mostNested = 64;
thread_local std::array<CallConfiguration, mostNested> configurations;
thread_local int configurationCount = 0;

Program* programOf(void** handle) {
  return reinterpret_cast<Program*>(handle);
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

// NOLINTBEGIN(readability-identifier-naming): clang chose the names.

HEDDLE_API void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard lock(apiMutex());
  return reinterpret_cast<void**>(
      Registry::instance().addProgram(static_cast<const FatBinaryWrapper*>(wrapper)));
}

HEDDLE_API void __cudaRegisterFatBinaryEnd(void** handle) {
  const std::lock_guard lock(apiMutex());
  if (const auto finished = Registry::instance().finish(programOf(handle)); !finished)
    endWithFault(finished.error().message);
}

/// From heddle_prelude.h: before anything else of a program that has such variables.
HEDDLE_API void __cudaHeddleManaged(const void* begin, const void* end) {
  const std::lock_guard lock(apiMutex());
  Registry::instance().addManaged(static_cast<const std::byte*>(begin),
                                  static_cast<const std::byte*>(end));
}

HEDDLE_API void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(apiMutex());
  Registry::instance().removeProgram(programOf(handle));
}

/// The thread limit is always -1; __launch_bounds__ is read from the device code.
HEDDLE_API void __cudaRegisterFunction(void** handle, const char* hostFunction, char*,
                                       const char* symbol, int, uint3*, uint3*, dim3*, dim3*,
                                       int*) {
  const std::lock_guard lock(apiMutex());
  Registry::instance().addKernel(programOf(handle), hostFunction, symbol);
}

HEDDLE_API void __cudaRegisterVar(void** handle, char* hostVariable, char*, const char* symbol, int,
                                  size_t size, int, int) {
  const std::lock_guard lock(apiMutex());
  Registry::instance().addVariable(programOf(handle), hostVariable, symbol, size);
}

/// The device's part of a texture reference is the handle of an object: TextureReferences.cpp.
HEDDLE_API void __cudaRegisterTexture(void** handle, const void* hostVariable, const void**,
                                      const char* symbol, int, int, int) {
  const std::lock_guard lock(apiMutex());
  Registry::instance().addVariable(programOf(handle), hostVariable, symbol,
                                   sizeof(cudaTextureObject_t));
}

HEDDLE_API void __cudaRegisterSurface(void**, const void*, const void**, const char* symbol, int,
                                      int) {
  endWithFault(fmt::format("surface '{}': surface references are not supported yet", symbol));
}

HEDDLE_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                    void* stream) {
  if (configurationCount == mostNested)
    return 1;
  configurations[static_cast<std::size_t>(configurationCount++)] = {
      grid, block, shared, static_cast<cudaStream_t>(stream)};
  return 0;
}

HEDDLE_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                  void* stream) {
  if (configurationCount == 0)
    return record(cudaErrorMissingConfiguration);
  const CallConfiguration& top = configurations[static_cast<std::size_t>(--configurationCount)];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

// NOLINTEND(readability-identifier-naming)
