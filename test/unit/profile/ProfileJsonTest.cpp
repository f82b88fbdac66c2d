// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileJson.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::profile {
namespace {

/// Two warps that run 10 instructions: 640 slots, 400 used, 200 lost to two branches, 30 to
/// finished threads, 10 to partial warps.
KernelProfile sampleKernel() {
  KernelProfile kernel;
  kernel.kernel = "transport";
  kernel.id = "_Z9transportPf#2";
  kernel.launches = 2;
  kernel.grid = {2, 3, 1};
  kernel.block = {16, 1, 1};
  kernel.dynamicShared = 64;
  kernel.staticShared = 4096;
  kernel.blocks = 7;
  kernel.memoryBlocks = 5;
  kernel.warpInstructions = 20;
  kernel.threadInstructions = 400;
  kernel.lostToFinished = 30;
  kernel.lostToPartial = 10;
  kernel.seconds = 0.1;
  kernel.laneCycles = 812.5;
  KernelTiming timing;
  timing.registers = {40, 8, RegisterSource::ptxasFor("sm_75")};
  timing.occupancy = 0.75;
  timing.residentBlocks = 12;
  timing.limiter = "registers";
  timing.seconds = 3.9e-3;
  timing.low = 3.1e-3;
  timing.high = 4.4e-3;
  timing.intervalFrom = "H200 SXM";
  timing.kind = TimeKind::Recursion;
  timing.longest = 2e-3;
  timing.cycles = 7.5e6;
  timing.secondsBy = {3e-3, 0, 0.9e-3, 0};
  timing.sampledBlocks = 4;
  timing.spread = 0.02;
  kernel.timing = timing;
  Site inlined; // g++ 12 warns of uninitialised strings in nested braces
  inlined.where = {"a.cu", 7, 5};
  inlined.function = "step";
  inlined.inlinedAt = {{"a.cu", 30, 9}, {"b.cu", 2, 1}};
  Site through;
  through.where = {"a.cu", 9, 3};
  through.function = "transport";
  kernel.branches.push_back({{8, 4, {40, 60}, 50, 75.5, {3, 4}, {12, 9}}, inlined, 2});
  kernel.branches.push_back({{2, 2, {1, 63}, 150, 150, {1, 1}, {5, 5}}, through, 0});
  LoopProfile loop;
  loop.site = kernel.branches[1].site;
  loop.leave(0, 3);
  loop.leave(311, 61);
  LoopProfile never;
  never.site = inlined;
  kernel.loops = {never, loop};
  kernel.accesses = {
      {{10, 320, 320, 40}, inlined, AccessKind::Store, MemorySpace::Global, 4},
      {{10, 200, 45, 20}, inlined, AccessKind::Atomic, MemorySpace::Shared, 8},
      {{0, 0, 0, 0}, inlined, AccessKind::Load, MemorySpace::Local, 16},
  };
  return kernel;
}

ProgramProfile sample() {
  ProgramProfile profile;
  profile.device = "h200";
  profile.reconvergence = "volta";
  profile.ending = Ending::Fault;
  profile.fault = "a.cu:7: \"bad\" address";
  profile.kernels = {sampleKernel()};
  profile.launches = {{0, {2, 3, 1}, {16, 1, 1}, 12, 250, 0.07, 2e-3},
                      {0, {1, 1, 1}, {16, 1, 1}, 8, 150, 1.0 / 3, 1.9e-3}};
  return profile;
}

/// The same with what a run of machine code tells.
ProgramProfile predicatedProgram() {
  ProgramProfile profile = sample();
  KernelProfile& kernel = profile.kernels[0];
  kernel.lostToPartial = 4;
  kernel.lostToSequences = 6;
  kernel.switchedOff = 40;
  kernel.branches[0].switchedOff = 32;
  kernel.lines.resize(2);
  kernel.lines[0] = {{12, 240, 40}, kernel.branches[0].site};
  kernel.lines[1] = {{8, 160, 0}, kernel.branches[1].site};
  return profile;
}

nlohmann::json document() {
  return nlohmann::json::parse(writeProfile(sample()));
}

std::string complaint(const nlohmann::json& json) {
  const auto profile = readProfile(json.dump(), "p.json");
  return profile ? "" : profile.error().message;
}

TEST(ProfileJson, ComesBackAsItWas) {
  const std::string text = writeProfile(sample());
  const auto back = readProfile(text, "p.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->kernels[0].id, "_Z9transportPf#2");
  EXPECT_EQ(back->kernels[0].symbol(), "_Z9transportPf");
  EXPECT_EQ(back->kernels[0].branches[0].site, sample().kernels[0].branches[0].site);
  EXPECT_EQ(back->kernels[0].loops[0].fewest, ~std::uint64_t{0});
  EXPECT_EQ(back->kernels[0].loops[1].fewest, 0u);
  EXPECT_EQ(back->kernels[0].loops[1].histogram, sample().kernels[0].loops[1].histogram);
  EXPECT_EQ(back->kernels[0].timing->registers.source, RegisterSource::ptxasFor("sm_75"));
  EXPECT_EQ(back->kernels[0].seconds, 0.1);
  EXPECT_EQ(back->launches[1].seconds, 1.0 / 3);
  EXPECT_EQ(back->ending, Ending::Fault);
  EXPECT_EQ(writeProfile(*back), text);
}

TEST(ProfileJson, AFirstTouchComesBackWhereThereWasOne) {
  ProgramProfile touched = sample();
  touched.kernels[0].firstTouch = {65536, 75e-6, 20e-6};
  touched.launches[1].firstTouch = {65536, 75e-6, 20e-6};
  const std::string text = writeProfile(touched);
  const auto back = readProfile(text, "p.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->kernels[0].firstTouch->bytes, 65536u);
  EXPECT_EQ(back->launches[1].firstTouch->seconds, 75e-6);
  EXPECT_FALSE(back->launches[0].firstTouch);
  EXPECT_EQ(writeProfile(*back), text);
  EXPECT_FALSE(document()["kernels"][0].contains("firstTouch"));
}

TEST(ProfileJson, LargeCountsStayExact) {
  ProgramProfile profile;
  profile.kernels.emplace_back();
  profile.kernels[0].warpInstructions = (std::uint64_t{1} << 58) + 1;
  profile.kernels[0].threadInstructions = profile.kernels[0].slots();
  const auto back = readProfile(writeProfile(profile), "p.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->kernels[0].warpInstructions, (std::uint64_t{1} << 58) + 1);
}

TEST(ProfileJson, LostSlotsHaveOneOwnerEach) {
  const nlohmann::json kernel = document()["kernels"][0];
  ASSERT_EQ(kernel["lost"].size(), 4u);
  EXPECT_EQ(kernel["lost"][0]["slots"], 150); // worst first
  EXPECT_EQ(kernel["lost"][1]["inlinedAt"][1]["file"], "b.cu");
  EXPECT_EQ(kernel["lost"][2]["kind"], "finished");
  EXPECT_EQ(kernel["lost"][3]["kind"], "partial");
  std::uint64_t lost = 0;
  for (const auto& owner : kernel["lost"])
    lost += owner["slots"].get<std::uint64_t>();
  EXPECT_EQ(lost + 400, 640u);
}

TEST(ProfileJson, DerivedNumbers) {
  const nlohmann::json kernel = document()["kernels"][0];
  EXPECT_DOUBLE_EQ(kernel["averageActiveThreads"], 20);
  EXPECT_DOUBLE_EQ(kernel["memory"][0]["sectorsPerRequest"], 32);
  EXPECT_FALSE(kernel["memory"][0].contains("conflictDegree"));
  EXPECT_DOUBLE_EQ(kernel["memory"][1]["conflictDegree"], 4.5);
  EXPECT_DOUBLE_EQ(kernel["loops"][1]["mean"], 311.0 * 61 / 64);
  EXPECT_EQ(kernel["loops"][1]["histogram"].size(), 9u); // 311 is in the bucket from 256
}

TEST(ProfileJson, SwitchedOffLanesComeBackAsTheyWere) {
  const std::string text = writeProfile(predicatedProgram());
  const auto back = readProfile(text, "p.json");
  ASSERT_TRUE(back) << back.error().message;
  const KernelProfile& kernel = back->kernels[0];
  EXPECT_EQ(kernel.lostToSequences, 6u);
  EXPECT_EQ(kernel.switchedOff, 40u);
  EXPECT_EQ(kernel.branches[0].switchedOff, 32u);
  ASSERT_EQ(kernel.lines.size(), 2u);
  EXPECT_EQ(kernel.lines[0].site, predicatedProgram().kernels[0].lines[0].site);
  EXPECT_EQ(kernel.lines[0].warpInstructions, 12u);
  EXPECT_EQ(kernel.lines[1].used, 160u);
  EXPECT_EQ(writeProfile(*back), text);
  const auto json = nlohmann::json::parse(text)["kernels"][0];
  EXPECT_DOUBLE_EQ(json["averageActiveThreads"], 20);
  EXPECT_DOUBLE_EQ(json["averageThreadsOn"], 18);
  EXPECT_EQ(json["lost"].back()["kind"], "sequences");
}

TEST(ProfileJson, WhatIsNotKnownIsNotWritten) {
  const nlohmann::json kernel = document()["kernels"][0];
  for (const char* name : {"switchedOff", "averageThreadsOn", "lines"})
    EXPECT_FALSE(kernel.contains(name)) << name;
  EXPECT_FALSE(kernel["branches"][0].contains("switchedOff"));
  ProgramProfile none = predicatedProgram(); // known, and not one lane
  none.kernels[0].switchedOff = 0;
  none.kernels[0].branches[0].switchedOff = 0;
  none.kernels[0].lines.clear();
  const auto back = readProfile(writeProfile(none), "p.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->kernels[0].switchedOff, 0u);
}

TEST(ProfileJson, RefusesSwitchedOffLanesThatDoNotAddUp) {
  const std::string complained =
      "p.json: kernels[0]: kernel 'transport' does not add up: its lanes that are switched off are "
      "not those of its lines and branches";
  const nlohmann::json good = nlohmann::json::parse(writeProfile(predicatedProgram()));
  nlohmann::json json = good;
  json["kernels"][0]["lines"][0]["used"] = 239;
  EXPECT_EQ(complaint(json), complained);
  json = good;
  json["kernels"][0]["branches"][0]["switchedOff"] = 41;
  EXPECT_EQ(complaint(json), complained);
  json = good;
  json["kernels"][0].erase("switchedOff");
  EXPECT_EQ(complaint(json), complained);
  json = good;
  json["kernels"][0]["switchedOff"] = -1;
  EXPECT_EQ(complaint(json), "p.json: kernels[0]: field 'switchedOff': expected a whole number of "
                             "at least 0");
}

TEST(ProfileJson, RefusesOtherDocuments) {
  EXPECT_EQ(readProfile("[1", "p.json").error().message,
            "p.json is no profile: no JSON object; 'heddle run app.cu --profile FILE' writes one");
  EXPECT_EQ(complaint({{"schema", "heddle.split/1"}}),
            "p.json is no profile: its \"schema\" is not heddle.profile/1; 'heddle run app.cu "
            "--profile FILE' writes one");
  EXPECT_EQ(complaint({{"schema", "heddle.profile/2"}}),
            "p.json is a profile of schema heddle.profile/2; this heddle reads heddle.profile/1");
}

TEST(ProfileJson, NamesTheFieldThatIsWrong) {
  nlohmann::json json = document();
  json["kernels"][0]["branches"][1].erase("lanesTaken");
  EXPECT_EQ(complaint(json), "p.json: kernels[0].branches[1]: field 'lanesTaken' is missing");
  json = document();
  json["kernels"][0]["memory"][0]["space"] = "texture";
  EXPECT_EQ(complaint(json), "p.json: kernels[0].memory[0]: field 'space': 'texture' is not one of "
                             "global, shared, local");
  json = document();
  json["kernels"][0]["timing"]["registersFrom"] = "hearsay";
  EXPECT_EQ(complaint(json), "p.json: kernels[0]: field 'registersFrom': 'hearsay' is not one of "
                             "estimate, ptxas, given");
  json = document();
  json["launches"][1]["kernel"] = 1;
  EXPECT_EQ(complaint(json), "p.json: launches[1]: kernel 1 of 1");
  json = document();
  json["kernels"][0]["warpInstructions"] = -1;
  EXPECT_EQ(complaint(json),
            "p.json: kernels[0]: field 'warpInstructions': expected a whole number "
            "of at least 0");
}

TEST(ProfileJson, RefusesAnAccountThatDoesNotAddUp) {
  nlohmann::json json = document();
  json["kernels"][0]["threadInstructions"] = 399;
  EXPECT_EQ(complaint(json), "p.json: kernels[0]: kernel 'transport' does not add up: 399 used and "
                             "240 lost of 640 lane slots");
  json = document();
  json["kernels"][0]["lost"][0]["slots"] = 149;
  EXPECT_EQ(complaint(json),
            "p.json: kernels[0]: 'lost' charges 199 slots to branches, 'branches' 200");
}

} // namespace
} // namespace heddle::profile
