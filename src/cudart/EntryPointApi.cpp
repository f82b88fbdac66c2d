// SPDX-License-Identifier: Apache-2.0
//
// Ways from the runtime into the driver API, of which no function can be had by its address here.
#include "cudart/Runtime.h"

using namespace heddle::cudart;

/// As of a driver that has no function of this name; without a status to tell it, an error.
HEDDLE_API cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function,
                                               unsigned long long,
                                               cudaDriverEntryPointQueryResult* result) {
  return call([&](Runtime&) {
    if (symbol == nullptr || function == nullptr)
      return cudaErrorInvalidValue;
    *function = nullptr;
    if (result == nullptr)
      return cudaErrorSymbolNotFound;
    *result = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                                        unsigned int, unsigned long long flags,
                                                        cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPoint(symbol, function, flags, result);
}

HEDDLE_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t*, const void*) {
  return call([](Runtime&) { return notSupported("cudaGetFuncBySymbol"); });
}
