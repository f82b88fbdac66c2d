// SPDX-License-Identifier: Apache-2.0
#include "profile/ProgramSettings.h"

#include <array>
#include <cstdlib>

namespace heddle::profile {

const char* variableOf(Setting setting) {
  static constexpr std::array variables = {
#define HEDDLE_SETTING(name, variable) variable,
#include "profile/ProgramSettings.def"
  };
  return variables[static_cast<std::size_t>(setting)];
}

const char* told(Setting setting) {
  return std::getenv(variableOf(setting));
}

void ProgramSettings::add(const ProgramSettings& others) {
  for (const auto& [setting, text] : others.texts_)
    texts_[setting] = text;
}

ProgramSettings::Variables ProgramSettings::variables() const {
  Variables variables;
  for (const auto& [setting, text] : texts_)
    variables.emplace_back(variableOf(setting), text);
  return variables;
}

} // namespace heddle::profile
