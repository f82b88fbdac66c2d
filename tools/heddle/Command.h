// SPDX-License-Identifier: Apache-2.0
//
// The flag table. One tree of Commands is the source of parsing (CommandLine.h), of -h and --help
// and docs/cli.md (Help.h), and of the shell completions (Completions.h).
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <functional>
#include <optional>
#include <span>
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
  std::string formerName{}; ///< still taken, in no help or completion
  std::string ifAlone{};    ///< what a flag with a number stands for where none follows
};

/// One dash: a compiler's flag. It is listed in help; Command::takeForeign reads it.
inline bool isForeign(const Flag& flag) {
  return flag.name.starts_with("-") && !flag.name.starts_with("--");
}

/// "--threads N", "--record-warps [N]", "--json" or "SHELL": how a flag is written in help and
/// messages.
inline std::string flagTitle(const Flag& flag) {
  const bool alone = flag.value.empty() || !flag.name.starts_with("-");
  const std::string value = flag.ifAlone.empty() ? flag.value : "[" + flag.value + "]";
  return alone ? flag.name : flag.name + " " + value;
}

struct Command {
  std::string name;
  std::string summary; ///< one line
  std::string details; ///< paragraphs for --help
  std::vector<std::string> examples;
  std::vector<Flag> flags;
  std::optional<Flag> positional;
  std::vector<Command> children;

  /// Takes a flag that does not follow our rules from the front of the arguments, and says how many
  /// they were; 0: not one of those. Unset for commands that know none.
  std::function<Expected<std::size_t>(std::span<const std::string>)> takeForeign{};
  /// Takes what stands behind "--". Unset for commands that run no other program.
  std::function<void(std::vector<std::string>)> takeRest{};

  /// What the command prints; called after every flag is set. Empty for a group of commands.
  std::function<Expected<driver::Answer>()> run{};
};

} // namespace heddle::tool
