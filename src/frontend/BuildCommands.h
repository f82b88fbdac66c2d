// SPDX-License-Identifier: Apache-2.0
//
// The commands that built a program: from a compile_commands.json, or from the program itself where
// `heddle cc` built it. Each object of `heddle cc` has the command that made it in a section of its
// own, the linker puts these behind one another, and the program's own link stands beside them.
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct BuildCommand {
  std::filesystem::path folder;       ///< in which it ran
  std::string file;                   ///< what it compiled; empty: it linked
  std::string output;                 ///< empty: as the arguments say
  std::vector<std::string> arguments; ///< behind the compiler's name
};

/// Words of a command line: blanks part them, quotes and backslashes keep them together.
Expected<std::vector<std::string>> splitWords(std::string_view text);

/// A compile_commands.json, as CMake and Bear write it.
Expected<std::vector<BuildCommand>> readCompileCommands(const std::filesystem::path& file);

struct KeptCommands {
  std::vector<BuildCommand> compiled;
  std::vector<BuildCommand> linked; ///< at most one
};

/// What an object or a program holds of the commands that made it: nothing where `heddle cc` did
/// not, or where it was stripped.
KeptCommands keptCommands(const std::string& binary);

/// An object or a program that holds the command, too.
Expected<std::string> withCommand(const std::string& binary, const BuildCommand& command);

} // namespace heddle::frontend
