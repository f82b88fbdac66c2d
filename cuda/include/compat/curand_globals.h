// SPDX-License-Identifier: Apache-2.0
//
// All of it is in one header.
#ifndef HEDDLE_COMPAT_CURAND_GLOBALS_H
#define HEDDLE_COMPAT_CURAND_GLOBALS_H
#include "curand_kernel.h"
#endif
