// SPDX-License-Identifier: Apache-2.0
//
// Older programs include this; all of it is known without.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "cuda_runtime.h"
#endif
