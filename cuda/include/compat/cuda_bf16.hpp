// SPDX-License-Identifier: Apache-2.0
//
// A toolkit has half of cuda_bf16.h here.
#include "cuda_bf16.h"
