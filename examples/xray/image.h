// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace xray {

/// A PNG in shades of grey: bright where little arrived, as on a film. `energies` has rows of
/// `width` pixels, the lowest z first; shades follow the logarithm.
std::string pngOf(const std::vector<unsigned long long>& energies, int width);

} // namespace xray
