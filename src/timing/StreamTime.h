// SPDX-License-Identifier: Apache-2.0
//
// What the cycles of a kernel or a copy are in seconds, between others.
#pragma once

#include "machine/Device.h"

namespace heddle::timing {

/// Of a kernel or a copy, in a stream that is never empty: the host starts the next one while this
/// one runs, so that only the gap between them adds up, unless the host is slower: it takes
/// `overhead` microseconds to start one.
double secondsInStream(const machine::Device& device, double cycles, double overhead);

} // namespace heddle::timing
