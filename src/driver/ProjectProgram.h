// SPDX-License-Identifier: Apache-2.0
//
// What a program is made of, as its build tells: a compile_commands.json and the link that CMake
// has written down, or the commands that `heddle cc` has kept in the program.
#pragma once

#include "frontend/ProgramSpec.h"
#include "support/Error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace heddle::driver {

/// Of a program that `heddle cc` built; nothing where it is none. Refuses one whose sources are not
/// there any more.
Expected<std::optional<frontend::ProgramSpec>> programOfBinary(const std::string& executable);

/// Of a program whose build's folder holds a compile_commands.json. `flags` are added to those of
/// every file and of the link.
Expected<frontend::ProgramSpec> programOfProject(const std::filesystem::path& folder,
                                                 const std::string& executable,
                                                 const frontend::CompilerFlags& flags);

} // namespace heddle::driver
