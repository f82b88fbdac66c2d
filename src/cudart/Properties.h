// SPDX-License-Identifier: Apache-2.0
//
// The modelled GPU in CUDA's words. Attributes are read from the properties, so the two agree.
#pragma once

#include "cudart/CudaTypes.h"
#include "machine/Device.h"

#include <optional>

namespace heddle::cudart {

/// Textures have no limits, as there are none.
cudaDeviceProp describeDevice(const machine::Device& device);

/// Nothing for a number that is no attribute.
std::optional<int> attributeOf(const cudaDeviceProp& properties, int attribute);

} // namespace heddle::cudart
