// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_COMPAT_CUDA_ERRORS_H
#define HEDDLE_COMPAT_CUDA_ERRORS_H

#define HEDDLE_ERROR(name, number, text) cuda##name = number,
enum cudaError {
#include "heddle_errors.def"
};
#undef HEDDLE_ERROR

typedef enum cudaError cudaError_t;

#endif
