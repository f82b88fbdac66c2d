// SPDX-License-Identifier: Apache-2.0
#include "cudart/Settings.h"

#include "cudart/Ending.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace heddle::cudart {
namespace {

Expected<Settings> read(const std::map<std::string, std::string>& variables) {
  return readSettings([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string complaint(const std::map<std::string, std::string>& variables) {
  const auto settings = read(variables);
  return settings ? "" : settings.error().message;
}

TEST(Settings, Defaults) {
  const auto settings = read({});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->device.name, "H200 SXM");
  EXPECT_EQ(settings->run.reconvergence, engine::Reconvergence::Volta);
  EXPECT_TRUE(settings->poison);
  EXPECT_FALSE(settings->progress);
  EXPECT_EQ(settings->run.workers, 0);
  EXPECT_EQ(settings->modelFault, timing::ModelFault::None);
  EXPECT_EQ(settings->record, "");
  EXPECT_FALSE(settings->run.fixedClock);
}

TEST(Settings, WhatAProofAsksFor) {
  const auto settings = read({{"HEDDLE_RECORD", "a/record"}, {"HEDDLE_CLOCK", "fixed"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->record, "a/record");
  EXPECT_TRUE(settings->run.fixedClock);
  const auto watch = read({{"HEDDLE_WATCH", "variable 'a::b':128"}, {"HEDDLE_TOUCHES", "t"}});
  ASSERT_TRUE(watch && watch->watch);
  EXPECT_EQ(watch->watch->region, "variable 'a::b'");
  EXPECT_EQ(watch->watch->offset, 128U);
  EXPECT_EQ(watch->touches, "t");
  for (const char* wrong : {"cudaMalloc #3", "cudaMalloc #3:", "cudaMalloc #3:-1"})
    EXPECT_NE(complaint({{"HEDDLE_WATCH", wrong}}), "") << wrong;
  EXPECT_EQ(complaint({{"HEDDLE_CLOCK", "fast"}}),
            "HEDDLE_CLOCK: found 'fast', expected modelled or fixed");
}

TEST(Settings, ATestMayWantCodeThatCompilesQuickly) {
  EXPECT_EQ(read({})->codeForm, engine::CodeForm::Full);
  EXPECT_EQ(read({{"HEDDLE_CODE", "lanes"}})->codeForm, engine::CodeForm::LaneByLane);
  EXPECT_EQ(complaint({{"HEDDLE_CODE", "quick"}}),
            "HEDDLE_CODE: found 'quick', expected full or lanes");
}

TEST(Settings, OldGpusReconvergeOnAStack) {
  EXPECT_EQ(read({{"HEDDLE_DEVICE", "p100"}})->run.reconvergence, engine::Reconvergence::Stack);
  EXPECT_EQ(read({{"HEDDLE_DEVICE", "v100"}})->run.reconvergence, engine::Reconvergence::Volta);
  EXPECT_EQ(read({{"HEDDLE_RECONVERGENCE", "stack"}})->run.reconvergence,
            engine::Reconvergence::Stack);
}

TEST(Settings, Values) {
  const auto settings = read({{"HEDDLE_MAX_INSTRUCTIONS", "1000000000000"},
                              {"HEDDLE_POISON", "0"},
                              {"HEDDLE_PROGRESS", "1"},
                              {"HEDDLE_WORKERS", "3"},
                              {"HEDDLE_RECORD_WARPS", "5"},
                              {"HEDDLE_TIMELINE", "1"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->recordedWarps, 5);
  EXPECT_TRUE(settings->timeline);
  EXPECT_EQ(settings->run.mostInstructions, 1000000000000U);
  EXPECT_FALSE(settings->poison);
  EXPECT_TRUE(settings->progress);
  EXPECT_EQ(settings->run.workers, 3);
}

TEST(Settings, TheModelCanBeBroken) {
  const auto fault = [](const char* name) {
    return read({{"HEDDLE_MODEL_FAULT", name}})->modelFault;
  };
  EXPECT_EQ(fault("occupancy"), timing::ModelFault::IgnoreOccupancy);
  EXPECT_EQ(fault("free-path"), timing::ModelFault::FreePath);
}

TEST(Settings, ABadValueNamesItsVariable) {
  EXPECT_EQ(complaint({{"HEDDLE_POISON", "yes"}}), "HEDDLE_POISON: found 'yes', expected 0 or 1");
  EXPECT_EQ(complaint({{"HEDDLE_WORKERS", "0"}}),
            "HEDDLE_WORKERS: found '0', expected a whole number from 1 to 4096");
  EXPECT_EQ(complaint({{"HEDDLE_RECORD_WARPS", "17"}}),
            "HEDDLE_RECORD_WARPS: found '17', expected a whole number from 1 to 16");
  EXPECT_EQ(complaint({{"HEDDLE_RECONVERGENCE", "ampere"}}),
            "HEDDLE_RECONVERGENCE: found 'ampere', expected volta or stack");
  EXPECT_EQ(complaint({{"HEDDLE_MODEL_FAULT", "cache"}}),
            "HEDDLE_MODEL_FAULT: found 'cache', expected occupancy or free-path");
  EXPECT_EQ(complaint({{"HEDDLE_DEVICE", "h2000"}}).rfind("HEDDLE_DEVICE: ", 0), 0U);
  EXPECT_EQ(complaint({{"HEDDLE_MAX_INSTRUCTIONS", "many"}}).rfind("HEDDLE_MAX_INSTRUCTIONS: ", 0),
            0U);
}

TEST(EndingDeathTest, AFaultEndsAProgramStartedByHand) {
  EXPECT_EXIT(endWithFault("k.cu:3: no such memory"), testing::ExitedWithCode(2),
              "heddle: error: k.cu:3: no such memory");
}

} // namespace
} // namespace heddle::cudart
