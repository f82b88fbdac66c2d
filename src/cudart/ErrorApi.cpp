// SPDX-License-Identifier: Apache-2.0
//
// Errors. A fault in a kernel ends the run, or with HEDDLE_KEEP_GOING leaves an error that stays.
#include "cudart/Runtime.h"

namespace heddle::cudart {
namespace {

struct ErrorText {
  int number;
  const char* name;
  const char* text;
};

#define HEDDLE_ERROR(name, number, text) {number, "cuda" #name, text},
constexpr ErrorText errorTexts[] = {
#include "heddle_errors.def"
};
#undef HEDDLE_ERROR

constexpr ErrorText unknownError = {-1, "unrecognized error code", "unrecognized error code"};

const ErrorText& describe(cudaError_t error) {
  for (const ErrorText& known : errorTexts)
    if (known.number == static_cast<int>(error))
      return known;
  return unknownError;
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaGetLastError(void) {
  const cudaError_t error = lastError();
  clearLastError();
  return error;
}

HEDDLE_API cudaError_t cudaPeekAtLastError(void) {
  return lastError();
}

HEDDLE_API const char* cudaGetErrorName(cudaError_t error) {
  return describe(error).name;
}

HEDDLE_API const char* cudaGetErrorString(cudaError_t error) {
  return describe(error).text;
}
