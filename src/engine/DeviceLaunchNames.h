// SPDX-License-Identifier: Apache-2.0
//
// Functions of CUDA's device runtime that the engine provides, as cuda/include/compat and nvcc's
// code call them.
#pragma once

namespace heddle::engine {

inline constexpr const char* childBufferName = "__cudaCDP2GetParameterBufferV2";
inline constexpr const char* launchChildName = "__cudaCDP2LaunchDeviceV2";
inline constexpr const char* lastErrorName = "__cudaCDP2GetLastError";
inline constexpr const char* peekErrorName = "__cudaCDP2PeekAtLastError";

} // namespace heddle::engine
