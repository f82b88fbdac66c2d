// SPDX-License-Identifier: Apache-2.0
//
// What heddle tells a program that it starts, and the program's runtime library reads: variables of
// its environment, all in one list.
#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::profile {

enum class Setting {
#define HEDDLE_SETTING(name, variable) name,
#include "profile/ProgramSettings.def"
};

/// "HEDDLE_DEVICE"
const char* variableOf(Setting setting);

/// What this process was told; nullptr: nothing.
const char* told(Setting setting);

/// What one program is told.
class ProgramSettings {
public:
  ProgramSettings() = default;
  ProgramSettings(std::initializer_list<std::pair<const Setting, std::string>> texts)
      : texts_(texts) {}

  void set(Setting setting, std::string text) { texts_[setting] = std::move(text); }
  void set(Setting setting, const char* text) { texts_[setting] = text; }
  /// A number, or 1 and 0 for a switch.
  template <std::integral Number> void set(Setting setting, Number number) {
    texts_[setting] = std::to_string(number);
  }
  /// Where both say something, the others count.
  void add(const ProgramSettings& others);

  using Variables = std::vector<std::pair<std::string, std::string>>;
  Variables variables() const;

private:
  std::map<Setting, std::string> texts_;
};

} // namespace heddle::profile
