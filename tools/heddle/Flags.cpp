// SPDX-License-Identifier: Apache-2.0
#include "Flags.h"

#include "support/NearestName.h"
#include "support/Parse.h"

#include <cstdio>
#include <limits>
#include <utility>

namespace heddle::tool {
namespace {

/// Stores a whole number that fits the target's type.
template <class Integer, class Target>
Flag makeIntegerFlag(std::string name, std::string help, Target& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(const std::int64_t value, parseInteger(text));
    if (!std::in_range<Integer>(value))
      return fail(ErrorKind::BadInput, "{} is out of range", text);
    target = static_cast<Integer>(value);
    return {};
  };
  return {.name = std::move(name), .value = "N", .help = std::move(help), .set = set};
}

template <class Target>
Flag makeNumberFlag(std::string name, std::string value, std::string help, Target& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(target, parseNumber(text));
    return {};
  };
  return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .set = set};
}

} // namespace

Flag textFlag(std::string name, std::string value, std::string help, std::string& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    if (text.empty())
      return fail(ErrorKind::BadInput, "the value is empty");
    target = text;
    return {};
  };
  return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .set = set};
}

Flag integerFlag(std::string name, std::string help, int& target) {
  return makeIntegerFlag<int>(std::move(name), std::move(help), target);
}
Flag integerFlag(std::string name, std::string help, std::optional<int>& target) {
  return makeIntegerFlag<int>(std::move(name), std::move(help), target);
}
Flag integerFlag(std::string name, std::string help, std::int64_t& target) {
  return makeIntegerFlag<std::int64_t>(std::move(name), std::move(help), target);
}
Flag integerFlag(std::string name, std::string help, std::optional<std::int64_t>& target) {
  return makeIntegerFlag<std::int64_t>(std::move(name), std::move(help), target);
}

Flag seedFlag(std::uint64_t& target) {
  return makeIntegerFlag<std::uint64_t>("--seed", "seed of the random numbers (default 1)", target);
}

Flag numberFlag(std::string name, std::string value, std::string help, double& target) {
  return makeNumberFlag(std::move(name), std::move(value), std::move(help), target);
}
Flag numberFlag(std::string name, std::string value, std::string help,
                std::optional<double>& target) {
  return makeNumberFlag(std::move(name), std::move(value), std::move(help), target);
}

Flag numberListFlag(std::string name, std::string value, std::string help,
                    std::vector<double>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(target, parseNumberList(text));
    return {};
  };
  return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .set = set};
}

Flag switchFlag(std::string name, std::string help, bool& target, bool stored) {
  const auto set = [&target, stored](std::string_view) -> Expected<void> {
    target = stored;
    return {};
  };
  return {.name = std::move(name), .value = "", .help = std::move(help), .set = set};
}

Flag choiceFlag(std::string name, std::string help, std::vector<std::string> choices,
                std::function<void(std::size_t)> store) {
  const auto set = [choices, store = std::move(store)](std::string_view text) -> Expected<void> {
    for (std::size_t index = 0; index < choices.size(); ++index)
      if (choices[index] == text) {
        store(index);
        return {};
      }
    return fail(ErrorKind::BadInput, "'{}' is not one of {}{}", text, fmt::join(choices, ", "),
                didYouMean(text, choices));
  };
  return {.name = std::move(name),
          .value = fmt::format("{}", fmt::join(choices, "|")),
          .help = std::move(help),
          .set = set,
          .choices = choices};
}

Flag required(Flag flag) {
  flag.required = true;
  return flag;
}

Flag withChoices(Flag flag, std::vector<std::string> choices) {
  flag.choices = std::move(choices);
  return flag;
}

Flag completing(Flag flag, Completes completes) {
  flag.completes = completes;
  return flag;
}

Flag withDefault(Flag flag, std::string number) {
  flag.ifAlone = std::move(number);
  return flag;
}

Flag formerly(Flag flag, std::string name) {
  flag.formerName = std::move(name);
  return flag;
}

driver::Output CommonOptions::output() const {
  return {.json = json,
          .style = TextStyle(useColor(color, stdout)),
          .colorErrors = useColor(color, stderr)};
}

std::vector<Flag> outputFlags(CommonOptions& common) {
  static constexpr ColorMode modes[] = {ColorMode::Auto, ColorMode::Always, ColorMode::Never};
  return {switchFlag("--json", "print JSON (schemas in docs/schema)", common.json),
          choiceFlag("--color", "colour the text (default auto)", {"auto", "always", "never"},
                     [&common](std::size_t index) { common.color = modes[index]; })};
}

Flag jobsFlag(CommonOptions& common) {
  return integerFlag("--jobs", "threads to use (default: all cores)", common.jobs);
}

Flag outputFlag(std::string value, std::string help, Completes completes) {
  return {.name = "-o",
          .value = std::move(value),
          .help = std::move(help),
          .set = [](std::string_view) { return Expected<void>(); },
          .completes = completes};
}

Expected<std::size_t> takeOutput(std::span<const std::string> arguments, std::string& target) {
  if (arguments.front() != "-o")
    return std::size_t{0};
  if (arguments.size() < 2 || arguments[1].empty() || arguments[1].starts_with("-"))
    return fail(ErrorKind::BadInput, "-o needs a value");
  target = arguments[1];
  return std::size_t{2};
}

} // namespace heddle::tool
