// SPDX-License-Identifier: Apache-2.0
//
// A toolkit has half of cuda_fp16.h here.
#include "cuda_fp16.h"
