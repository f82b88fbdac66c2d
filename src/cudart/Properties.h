// SPDX-License-Identifier: Apache-2.0
//
// The modelled GPU in CUDA's words. Attributes are read from the properties, so the two agree.
#pragma once

#include "cudart/CudaTypes.h"
#include "machine/Device.h"

#include <optional>

namespace heddle::cudart {

/// The sizes of textures have no limits here, and say 0.
cudaDeviceProp describeDevice(const machine::Device& device);

/// Nothing for a number that is no attribute.
std::optional<int> attributeOf(const cudaDeviceProp& properties, int attribute);

} // namespace heddle::cudart
