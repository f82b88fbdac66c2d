// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_COMPAT_CUDA_PIPELINE_H
#define HEDDLE_COMPAT_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
