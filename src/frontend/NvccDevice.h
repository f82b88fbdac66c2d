// SPDX-License-Identifier: Apache-2.0
//
// The other compiler of device code: nvcc's PTX instead of clang's IR. docs/ptx.md says when to
// take which.
#pragma once

#include "frontend/Toolchain.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

/// The command that makes PTX of a CUDA file with the user's flags; where the result goes is to be
/// added.
std::vector<std::string> nvccCommand(const std::filesystem::path& nvcc, const Toolchain& toolchain,
                                     const CompilerFlags& flags, const std::string& source);

/// What nvcc made, with what it would tell ptxas besides.
std::string ptxOfNvcc(std::string made, const CompilerFlags& flags);

/// The flags with what the host pass needs to agree with nvcc's device pass: the toolkit's headers
/// where we have none of that name, and the architecture, which CUB and Thrust make part of a
/// kernel's name. Without an nvcc as they are.
CompilerFlags hostFlagsWith(const std::filesystem::path& nvcc, CompilerFlags flags);

/// The flags for a device pass of clang over what that host pass sees, to compare.
CompilerFlags deviceFlagsWith(const std::filesystem::path& nvcc, CompilerFlags flags);

/// What the PTX depends on beside the source, for the names of results in the cache.
std::string nvccIdentity(const std::filesystem::path& nvcc, const CompilerFlags& flags);

} // namespace heddle::frontend
