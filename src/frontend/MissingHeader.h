// SPDX-License-Identifier: Apache-2.0
//
// Headers of the CUDA toolkit that Heddle does not have: named, with what is known, instead of
// "file not found".
#pragma once

#include <string>
#include <string_view>

namespace heddle::frontend {

/// "thrust/sort.h is not there: ..." for the first such header that a compiler's messages miss;
/// empty where they miss none.
std::string missingHeader(std::string_view messages);

} // namespace heddle::frontend
