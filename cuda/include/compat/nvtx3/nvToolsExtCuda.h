// SPDX-License-Identifier: Apache-2.0
//
// Names for objects of CUDA: see nvToolsExt.h.
#ifndef HEDDLE_COMPAT_NVTOOLSEXTCUDA
#define HEDDLE_COMPAT_NVTOOLSEXTCUDA
#include "nvToolsExt.h"
#endif
