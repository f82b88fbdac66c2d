// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a source file's device code, and what it leaves to others.
#pragma once

#include "support/Error.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct DeviceSymbols {
  std::string file;
  std::set<std::string> undefined; ///< and used
  std::vector<std::string> kernels;
  std::set<std::string> variables; ///< defined, and visible to other files
};

Expected<DeviceSymbols> findDeviceSymbols(std::string_view bitcode, const std::string& file);

/// The name of a static variable without what clang marks it with; nvcc does not. Other names stay
/// as they are.
///
///   _ZL7counter        counter
///   _ZN4mineL1xE       _ZN4mine1xE
std::string withoutStaticMark(const std::string& symbol);

} // namespace heddle::frontend
