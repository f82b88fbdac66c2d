// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace xray {

/// Samples angles of both kinds of scattering and prints their chi-square against the formulas.
/// Whether both are what chance allows, 4 standard deviations at most.
bool printAngles(double energy, std::uint32_t seed);

} // namespace xray
