// SPDX-License-Identifier: Apache-2.0
//
// The flag table. One tree of Commands is the source of parsing (CommandLine.h), of -h and --help
// and docs/cli.md (Help.h), and of the shell completions (Completions.h).
#pragma once

#include "support/Error.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::tool {

/// What a shell offers after a flag that has no fixed choices.
enum class Completes { Nothing, Files, Folders };

struct Flag {
  std::string name;  ///< "--threads"; for a positional argument its name in capitals
  std::string value; ///< what follows it, "N"; empty for a switch
  std::string help;  ///< one line
  std::function<Expected<void>(std::string_view)> set;
  std::vector<std::string> choices{}; ///< offered by completion; `set` decides what is accepted
  bool required = false;
  bool repeatable = false; ///< `set` is called for each; else the last one counts
  Completes completes = Completes::Nothing;
};

/// "--threads N", "--json" or "SHELL": how a flag is written in help and messages.
inline std::string flagTitle(const Flag& flag) {
  const bool alone = flag.value.empty() || !flag.name.starts_with("-");
  return alone ? flag.name : flag.name + " " + flag.value;
}

struct Command {
  std::string name;
  std::string summary; ///< one line
  std::string details; ///< paragraphs for --help
  std::vector<std::string> examples;
  std::vector<Flag> flags;
  std::optional<Flag> positional;
  std::vector<Command> children;

  /// What the command prints; called after every flag is set. Empty for a group of commands.
  std::function<Expected<std::string>()> run;
};

} // namespace heddle::tool
