// SPDX-License-Identifier: Apache-2.0
//
// What a compiler says of things that Heddle does not have, in words that help: headers of the CUDA
// toolkit instead of "file not found", launches by device code instead of "reference to".
#pragma once

#include <string>
#include <string_view>

namespace heddle::frontend {

/// "a.cu:3: Heddle has no thrust/sort.h: ..." for the first such header that a compiler's messages
/// miss; empty where they miss none.
std::string missingHeader(std::string_view messages);

/// The same for a kernel that is launched by device code.
std::string launchOnDevice(std::string_view messages);

/// Clang's complaint of a __shared__ variable with an initial value, where it complains of nothing
/// else; empty for others.
std::string sharedInitialValue(std::string_view messages);

/// nvcc's complaint of a texture reference, which CUDA 12 no longer has; empty for others.
std::string textureReference(std::string_view messages);

/// "'_countof' is of Microsoft's compiler: ..." for the first such name that is not declared; empty
/// where all are.
std::string microsoftName(std::string_view messages);

} // namespace heddle::frontend
