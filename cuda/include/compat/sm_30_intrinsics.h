// SPDX-License-Identifier: Apache-2.0
//
// Some programs include this; all of it is known without.
#include "cuda_runtime.h"
