// SPDX-License-Identifier: Apache-2.0
//
// printf of device code: the format, and its arguments one after the other in memory as the
// compiler packs them, each aligned to its size.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::engine {

/// What printf would print. `argumentCount` gets the number of arguments used.
std::string formatDevicePrint(const char* format, const std::byte* arguments, int& argumentCount);

} // namespace heddle::engine
