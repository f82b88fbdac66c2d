// SPDX-License-Identifier: Apache-2.0
//
// Thrust includes this and calls none of it. A toolkit's own is taken where there is one.
#ifndef HEDDLE_COMPAT_CUDA_OCCUPANCY_H
#define HEDDLE_COMPAT_CUDA_OCCUPANCY_H
#if __has_include_next(<cuda_occupancy.h>)
#include_next <cuda_occupancy.h>
#endif
#endif
