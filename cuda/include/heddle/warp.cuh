// SPDX-License-Identifier: Apache-2.0
//
// What every part of the library knows of a warp.
#pragma once

namespace heddle {
namespace detail {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int warp_lanes = 32;

} // namespace detail
} // namespace heddle
