// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How many digits each number has, counted on the device.
void countDigits(const int* values, int* lengths, int n);
