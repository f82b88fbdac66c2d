// SPDX-License-Identifier: Apache-2.0
//
// Turns arguments into the command to run, its flags set. Nothing has happened yet when it returns.
#pragma once

#include "Command.h"

#include <string>
#include <vector>

namespace heddle::tool {

enum class Wish { Run, ShortHelp, LongHelp };

struct Invocation {
  Wish wish = Wish::Run;
  const Command* command = nullptr;
  std::string path; ///< "heddle schedule best"
};

/// `arguments` without the program's name. Errors name the flag or command, what was found and what
/// was expected.
Expected<Invocation> parseCommandLine(const Command& root, std::vector<std::string> arguments);

} // namespace heddle::tool
