// SPDX-License-Identifier: Apache-2.0
//
// NVTX's older name.
#include <nvtx3/nvToolsExt.h>
