// SPDX-License-Identifier: Apache-2.0
//
// What every CUDA source begins with, read once: reading heddle_prelude.h and the headers it
// includes takes a third of a small program's compile time. docs/design/running.md.
#pragma once

#include "frontend/Toolchain.h"

#include <filesystem>
#include <optional>

namespace heddle::frontend {

/// The prelude as clang precompiled it for a pass and its flags, put into `folder` from the cache,
/// and into the cache first where it is new. Nothing where the source has to include it.
std::optional<std::filesystem::path> precompiledPrelude(const Toolchain& toolchain, Pass pass,
                                                        const CompilerFlags& flags,
                                                        const std::filesystem::path& folder);

} // namespace heddle::frontend
