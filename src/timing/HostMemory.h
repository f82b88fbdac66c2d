// SPDX-License-Identifier: Apache-2.0
//
// Pinned memory of the host that kernels use in place: its bytes go over the bus.
#pragma once

#include "machine/Device.h"
#include "profile/KernelTrace.h"

namespace heddle::timing {

/// What a launch moves over the bus, in cycles of a multiprocessor; 0 for nothing. `freshBytes` is
/// how many bytes are new to their thread blocks in the whole grid.
double cyclesOverTheBus(const profile::KernelTrace& trace, const machine::Device& device,
                        double freshBytes);

/// Until the first byte is there.
double cyclesToTheHost(const machine::Device& device);

} // namespace heddle::timing
