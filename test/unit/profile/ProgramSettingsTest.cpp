// SPDX-License-Identifier: Apache-2.0
#include "profile/ProgramSettings.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::profile {
namespace {

using Variables = ProgramSettings::Variables;

TEST(ProgramSettings, AreVariablesOfAnEnvironment) {
  ProgramSettings settings = {{Setting::Device, "a100"}};
  settings.set(Setting::Poison, true);
  settings.set(Setting::KeepGoing, false);
  settings.set(Setting::Workers, 12);
  const Variables expected = {{"HEDDLE_DEVICE", "a100"},
                              {"HEDDLE_POISON", "1"},
                              {"HEDDLE_KEEP_GOING", "0"},
                              {"HEDDLE_WORKERS", "12"}};
  EXPECT_EQ(settings.variables(), expected);
}

TEST(ProgramSettings, OthersThatAreAddedCount) {
  ProgramSettings settings = {{Setting::Progress, "1"}, {Setting::Workers, "2"}};
  settings.add({{Setting::Progress, "0"}, {Setting::Clock, "fixed"}});
  const Variables expected = {
      {"HEDDLE_WORKERS", "2"}, {"HEDDLE_PROGRESS", "0"}, {"HEDDLE_CLOCK", "fixed"}};
  EXPECT_EQ(settings.variables(), expected);
}

TEST(ProgramSettings, HaveAVariableEach) {
  std::set<std::string> variables;
#define HEDDLE_SETTING(name, variable) EXPECT_TRUE(variables.insert(variable).second) << variable;
#include "profile/ProgramSettings.def"
  EXPECT_STREQ(variableOf(Setting::Touches), "HEDDLE_TOUCHES");
}

} // namespace
} // namespace heddle::profile
