// SPDX-License-Identifier: Apache-2.0
#include "machine/Device.h"

#include "machine/DeviceCatalog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace heddle::machine {
namespace {

using nlohmann::json;

json sample() {
  return json::parse(findDevice("h200")->text);
}

std::string complaint(const json& file) {
  const auto device = parseDevice(file.dump(), "mine.json");
  return device ? "" : device.error().message;
}

TEST(Devices, EveryRequestedGpuIsThere) {
  for (const char* name : {"g80", "gtx280", "c1060", "gtx580", "gtx780", "gtx850m", "p100", "v100",
                           "t4", "a100", "rtx3090", "rtx4090", "h100", "h200", "b200", "rtx5090"})
    EXPECT_TRUE(findDevice(name)) << name;
}

TEST(Devices, NamesAndAliasesAreUnique) {
  std::set<std::string> seen;
  for (const Device& device : builtinDevices()) {
    EXPECT_TRUE(seen.insert(device.name).second) << device.name;
    for (const std::string& alias : device.aliases)
      EXPECT_TRUE(seen.insert(alias).second) << alias;
  }
}

TEST(Devices, NumbersOfTheDocuments) {
  const Device g80 = *findDevice("g80"); // Carrillo, table 1
  EXPECT_EQ(g80.multiprocessors, 16);
  EXPECT_EQ(g80.limits.warps, 24);
  const Device gtx280 = *findDevice("gtx280"); // Hovland, table 1
  EXPECT_EQ(gtx280.multiprocessors * gtx280.lanesPerCycle.fp32, 240);
  EXPECT_EQ(gtx280.multiprocessorMHz, 1296);
  EXPECT_NEAR(gtx280.bandwidthGBps, 141.7, 0.05);
}

TEST(Devices, AreFoundBySloppyNames) {
  for (const char* name :
       {"GeForce 8800 GTX", "geforce-8800-gtx", "8800GTX", "G80", "NVIDIA GeForce 8800 GTX"})
    EXPECT_EQ(findDevice(name)->name, "GeForce 8800 GTX") << name;
}

TEST(Devices, UnknownNamesGetTheNearest) {
  const std::string message = findDevice("gtx208").error().message;
  EXPECT_NE(message.find("unknown device 'gtx208'; did you mean gtx280"), std::string::npos)
      << message;
}

TEST(Devices, TargetsMayBeBareCapabilities) {
  const Target target = *resolveTarget("cc9.0");
  EXPECT_FALSE(target.device);
  EXPECT_EQ(target.limits.warps, 64);
  EXPECT_EQ(resolveTarget("h200")->device->name, "H200 SXM");
  EXPECT_FALSE(resolveTarget("cc4.2"));
  EXPECT_FALSE(resolveTarget("/nonexistent/x.json"));
}

TEST(DeviceFile, EveryMissingFieldIsNamed) {
  const std::set<std::string> mayBeMissing = {"/memory/l2Partitions",
                                              "/memory/l2BytesPerCycle",
                                              "/launch/blockStartCycles",
                                              "/launch/gapMicroseconds",
                                              "/launch/copyOverheadMicroseconds",
                                              "/launch/blockTurnaroundCycles",
                                              "/launch/warpStartCycles",
                                              "/launch/newCodeCycles",
                                              "/launch/storeTakenCycles",
                                              "/memory/readShare",
                                              "/memory/writeShare",
                                              "/memory/crowding",
                                              "/memory/bytesPerCycleOfOne",
                                              "/memory/l2BytesPerCycleOfOne",
                                              "/memory/busGBps",
                                              "/memory/l2WriteBytesPerCycle",
                                              "/memory/l2WriteBytesPerCycleOfOne",
                                              "/memory/l2WriteBytesOfLine",
                                              "/latencyCycles/l2Afar"};
  const json whole = sample();
  ASSERT_EQ(complaint(whole), "");
  int removed = 0;
  const json fields = whole.flatten();
  for (const auto& entry : fields.items()) {
    const json::json_pointer pointer(entry.key());
    if (entry.key().starts_with("/sources") || entry.key().starts_with("/aliases") ||
        entry.key() == "/lanesPerCycle/intToFloat") // as other conversions
      continue;
    json broken = whole;
    broken.at(pointer.parent_pointer()).erase(pointer.back());
    if (mayBeMissing.contains(entry.key())) {
      EXPECT_EQ(complaint(broken), "");
      continue;
    }
    std::string name = entry.key().substr(1);
    std::ranges::replace(name, '/', '.');
    EXPECT_EQ(complaint(broken), "mine.json: field '" + name + "' is missing");
    ++removed;
  }
  EXPECT_GT(removed, 30);
}

TEST(DeviceFile, WhatOtherDevicesAreTakenToBeLikeIsAllThere) {
  const Device& known = referenceDevice();
  EXPECT_EQ(known.name, "H200 SXM");
  EXPECT_TRUE(known.controlCycles && known.stepCycles && known.firstTouch);
  for (const auto number :
       {&Device::readShare, &Device::writeShare, &Device::crowding, &Device::bytesPerCycleOfOne,
        &Device::l2BytesPerCycleOfOne, &Device::blockStartCycles, &Device::blockTurnaroundCycles,
        &Device::warpStartCycles, &Device::storeTakenCycles, &Device::busGBps,
        &Device::l2WriteBytesPerCycle, &Device::l2WriteBytesPerCycleOfOne,
        &Device::l2WriteBytesOfLine})
    EXPECT_TRUE((known.*number).has_value());
}

TEST(DeviceFile, OfSeveralFaultsTheFirstInTheOrderOfOurFilesIsNamed) {
  json file = sample();
  file["launch"]["overheadMicroseconds"] = -1;
  file["year"] = 1900;
  file["clocks"]["memoryMHz"] = "fast";
  EXPECT_NE(complaint(file).find("field 'year' is 1900"), std::string::npos) << complaint(file);
  file["year"] = 2023;
  EXPECT_NE(complaint(file).find("field 'clocks.memoryMHz'"), std::string::npos) << complaint(file);
  file["clocks"]["memoryMHz"] = 3201;
  EXPECT_NE(complaint(file).find("field 'launch.overheadMicroseconds' is -1"), std::string::npos);
}

TEST(DeviceFile, ImpossibleFieldsAreNamed) {
  json file = sample();
  file["multiprocessors"] = 0;
  EXPECT_EQ(complaint(file),
            "mine.json: field 'multiprocessors' is 0, expected a whole number from "
            "1 to 10000");
  file = sample();
  file["clocks"]["memoryMHz"] = "fast";
  EXPECT_EQ(complaint(file), "mine.json: field 'clocks.memoryMHz' is \"fast\", expected a number");
  file = sample();
  file["latencyCycles"]["shared"] = -3;
  EXPECT_NE(complaint(file).find("field 'latencyCycles.shared' is -3"), std::string::npos);
  file = sample();
  file["latencyCycles"]["l1"] = nullptr; // there may be no such cache
  EXPECT_EQ(complaint(file), "");
  file = sample();
  file["computeCapability"] = "4.2";
  EXPECT_NE(complaint(file).find("field 'computeCapability': no compute capability 4.2"),
            std::string::npos);
  file = sample();
  file["schema"] = "heddle.device/9";
  EXPECT_NE(complaint(file).find("field 'schema' is 'heddle.device/9'"), std::string::npos);
}

TEST(DeviceFile, MistypedFieldsGetTheNearest) {
  json file = sample();
  file["clocks"]["memoryMhz"] = 1;
  EXPECT_EQ(complaint(file), "mine.json: field 'clocks.memoryMhz' is unknown; did you mean "
                             "clocks.memoryMHz?");
}

TEST(DeviceFile, EveryNumberNeedsASource) {
  json file = sample();
  file["sources"].erase("clocks");
  for (const char* field : {"clocks.multiprocessorMHz", "clocks.memoryMHz"})
    file["sources"].erase(field);
  EXPECT_NE(complaint(file).find("has no entry in 'sources'"), std::string::npos);
}

TEST(DeviceFile, OtherFilesAreRefused) {
  EXPECT_EQ(parseDevice("not json", "mine.json").error().message, "mine.json: not a JSON object");
  EXPECT_EQ(parseDevice("[1]", "mine.json").error().message, "mine.json: not a JSON object");
}

} // namespace
} // namespace heddle::machine
