// SPDX-License-Identifier: Apache-2.0
//
// Help in three lengths, all from the flag table: -h, --help and docs/cli.md.
#pragma once

#include "Command.h"

#include <string>

namespace heddle::tool {

/// A line per flag or command. `path` is how the command was called: "heddle schedule best".
std::string shortHelp(const Command& command, const std::string& path);

/// The same with explanations and examples.
std::string longHelp(const Command& command, const std::string& path);

/// The whole tree as Markdown: docs/cli.md.
std::string markdownHelp(const Command& root);

} // namespace heddle::tool
