// SPDX-License-Identifier: Apache-2.0
//
// Makers of flags that store into a variable. The variable must outlive the command tree.
#pragma once

#include "Command.h"
#include "driver/Output.h"
#include "support/Terminal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::tool {

Flag textFlag(std::string name, std::string value, std::string help, std::string& target);
Flag integerFlag(std::string name, std::string help, int& target);
Flag integerFlag(std::string name, std::string help, std::optional<int>& target);
Flag integerFlag(std::string name, std::string help, std::int64_t& target);
Flag integerFlag(std::string name, std::string help, std::optional<std::int64_t>& target);
Flag seedFlag(std::uint64_t& target);
Flag numberFlag(std::string name, std::string value, std::string help, double& target);
Flag numberFlag(std::string name, std::string value, std::string help,
                std::optional<double>& target);
Flag numberListFlag(std::string name, std::string value, std::string help,
                    std::vector<double>& target);
Flag switchFlag(std::string name, std::string help, bool& target, bool stored = true);

/// A flag with a fixed set of words; anything else is refused with the nearest one.
Flag choiceFlag(std::string name, std::string help, std::vector<std::string> choices,
                std::function<void(std::size_t)> store);

Flag required(Flag flag);
Flag withChoices(Flag flag, std::vector<std::string> choices);
Flag completing(Flag flag, Completes completes);
/// The number may be left out.
Flag withDefault(Flag flag, std::string number);
/// The flag had another name, which still works.
Flag formerly(Flag flag, std::string name);

/// "-o": the one short flag of ours that is no compiler's, where results go, as everywhere. It is
/// for help and completions; takeOutput reads it, as Command::takeForeign does.
Flag outputFlag(std::string value, std::string help, Completes completes);
Expected<std::size_t> takeOutput(std::span<const std::string> arguments, std::string& target);

/// What every command that prints a result understands.
struct CommonOptions {
  bool version = false; ///< of heddle itself
  bool json = false;
  ColorMode color = ColorMode::Auto;
  std::optional<int> jobs; ///< nothing: all cores

  driver::Output output() const;
};

std::vector<Flag> outputFlags(CommonOptions& common);
Flag jobsFlag(CommonOptions& common);

} // namespace heddle::tool
