// SPDX-License-Identifier: Apache-2.0
//
// All of it is in one header.
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#include "cublas_v2.h"
#endif
