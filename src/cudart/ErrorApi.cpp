// SPDX-License-Identifier: Apache-2.0
//
// Errors. A fault in a kernel ends the run, or with HEDDLE_KEEP_GOING leaves an error that stays.
#include "cudart/Remarks.h"
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

const char* errorText(cudaError_t error) {
  return describe(error).text;
}

const char* errorName(cudaError_t error) {
  return describe(error).name;
}

} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaGetLastError(void) {
  const cudaError_t error = cudaPeekAtLastError();
  clearLastError();
  return error;
}

HEDDLE_API cudaError_t cudaPeekAtLastError(void) {
  const cudaError_t error = lastError();
  if (error != cudaSuccess)
    Remarks::instance().lookedAtLast();
  return error;
}

HEDDLE_API const char* cudaGetErrorName(cudaError_t error) {
  Remarks::instance().lookedAt(error);
  return describe(error).name;
}

HEDDLE_API const char* cudaGetErrorString(cudaError_t error) {
  Remarks::instance().lookedAt(error);
  return describe(error).text;
}
