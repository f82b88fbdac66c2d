// SPDX-License-Identifier: Apache-2.0
//
// What this header declares is known without it.
#include "cuda_runtime.h"
