// SPDX-License-Identifier: Apache-2.0
#include "machine/Device.h"

#include "support/JsonReader.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <cmath>

namespace heddle::machine {
namespace {

constexpr std::string_view schemaName = "heddle.device/1";
constexpr JsonWording wording{.missing = "field '{path}' is missing",
                              .unlike = "field '{path}' is {found}, expected {expected}",
                              .unknown = "field '{path}' is unknown{hint}",
                              .about = "field '{path}' {what}",
                              .list = "a list of {what}"};
constexpr NumberRange latency{1, 1e5};
constexpr NumberRange rate{0.01, 1e4};
constexpr NumberRange rateOrNone{0, 1e4};

void readIdentity(JsonReader& fields, Device& device) {
  if (const std::string schema = fields.text("schema"); schema != schemaName)
    fields.complainOf("schema", fmt::format("is '{}', expected '{}'", schema, schemaName));
  device.name = fields.text("name");
  device.aliases = fields.texts("aliases");
  device.chip = fields.text("chip");
  device.architecture = fields.text("architecture");
  device.year = fields.integer("year", {2006, 2100});
  const auto capability = parseComputeCapability(fields.text("computeCapability"));
  const auto limits = capability ? findSmLimits(*capability) : tl::unexpected(capability.error());
  if (limits)
    device.limits = *limits;
  else
    fields.complain("field 'computeCapability': " + limits.error().message);
}

void readMachine(JsonReader& fields, Device& device) {
  device.multiprocessors = fields.integer("multiprocessors", {1, 10000});
  device.multiprocessorMHz = fields.number("clocks.multiprocessorMHz", {1, 10000});
  device.memoryMHz = fields.number("clocks.memoryMHz", {1, 20000});
  device.memoryMiB = fields.integer("memory.sizeMiB", {1, 1e8});
  device.bandwidthGBps = fields.number("memory.bandwidthGBps", {0.1, 1e6});
  device.l2KiB = fields.integer("memory.l2KiB", {0, 1e6});
  device.l2Partitions = int(fields.numberIfAny("memory.l2Partitions", {1, 16}).value_or(1));
  device.l2BytesPerCycle = fields.numberIfAny("memory.l2BytesPerCycle", {1, 1e6});
  device.readShare = fields.numberIfAny("memory.readShare", {0.01, 1});
  device.writeShare = fields.numberIfAny("memory.writeShare", {0.01, 1});
  device.crowding = fields.numberIfAny("memory.crowding", {0, 10});
  device.bytesPerCycleOfOne = fields.numberIfAny("memory.bytesPerCycleOfOne", {1, 1e6});
  device.l2BytesPerCycleOfOne = fields.numberIfAny("memory.l2BytesPerCycleOfOne", {1, 1e6});
  device.l2WriteBytesPerCycle = fields.numberIfAny("memory.l2WriteBytesPerCycle", {1, 1e6});
  device.l2WriteBytesPerCycleOfOne =
      fields.numberIfAny("memory.l2WriteBytesPerCycleOfOne", {1, 1e6});
  device.l2WriteBytesOfLine = fields.numberIfAny("memory.l2WriteBytesOfLine", {1, 128});
  device.busGBps = fields.numberIfAny("memory.busGBps", {0.1, 1e4});
  device.schedulers = fields.integer("issue.schedulers", {1, 64});
  device.warpInstructionsPerCycle = fields.number("issue.warpInstructionsPerCycle", {0.01, 64});
  device.launchOverheadMicroseconds = fields.number("launch.overheadMicroseconds", {0, 1e4});
  device.copyOverheadMicroseconds = fields.numberIfAny("launch.copyOverheadMicroseconds", {0, 1e4});
  device.launchGapMicroseconds = fields.numberIfAny("launch.gapMicroseconds", {0, 1e4});
  device.blockStartCycles = fields.numberIfAny("launch.blockStartCycles", {0, 1e4});
  device.blockTurnaroundCycles = fields.numberIfAny("launch.blockTurnaroundCycles", {0, 1e5});
  device.newCodeCycles = fields.numberIfAny("launch.newCodeCycles", {0, 1e3});
  device.warpStartCycles = fields.numberIfAny("launch.warpStartCycles", {0, 1e4});
  device.storeTakenCycles = fields.numberIfAny("launch.storeTakenCycles", {0, 1e5});
}

void readRates(JsonReader& fields, Device& device) {
  LanesPerCycle& lanes = device.lanesPerCycle;
  lanes.fp32 = fields.number("lanesPerCycle.fp32", rate);
  lanes.fp64 = fields.number("lanesPerCycle.fp64", rateOrNone);
  lanes.int32 = fields.number("lanesPerCycle.int32", rate);
  lanes.intMultiply = fields.number("lanesPerCycle.intMultiply", rate);
  lanes.shift = fields.number("lanesPerCycle.shift", rate);
  lanes.special = fields.number("lanesPerCycle.special", rate);
  lanes.convert = fields.number("lanesPerCycle.convert", rate);
  lanes.intToFloat = fields.has("lanesPerCycle.intToFloat")
                         ? fields.number("lanesPerCycle.intToFloat", rate)
                         : lanes.convert;
  lanes.loadStore = fields.number("lanesPerCycle.loadStore", rate);

  LatencyCycles& cycles = device.latencyCycles;
  cycles.arithmetic = fields.number("latencyCycles.arithmetic", latency);
  cycles.special = fields.number("latencyCycles.special", latency);
  cycles.shared = fields.number("latencyCycles.shared", latency);
  cycles.l1 = fields.numberOrNull("latencyCycles.l1", latency);
  cycles.l2 = fields.numberOrNull("latencyCycles.l2", latency);
  if (fields.has("latencyCycles.l2Afar"))
    cycles.l2Afar = fields.number("latencyCycles.l2Afar", latency);
  cycles.global = fields.number("latencyCycles.global", latency);
}

void readControl(JsonReader& fields, Device& device) {
  constexpr NumberRange cycles{0, 1e4};
  device.controlCycles = ControlCycles{
      .branch = fields.number("controlCycles.branch", cycles),
      .predicate = fields.number("controlCycles.predicate", cycles),
      .divergence = fields.number("controlCycles.divergence", cycles),
      .barrierPerWarp = fields.number("controlCycles.barrierPerWarp", cycles),
  };
}

void readSteps(JsonReader& fields, Device& device) {
  constexpr NumberRange cycles{0, 1e4};
  device.stepCycles = StepCycles{
      .straightOn = fields.number("stepCycles.straightOn", cycles),
      .farBack = fields.number("stepCycles.farBack", cycles),
      .heldInstructions = fields.number("stepCycles.heldInstructions", {0, 1e6}),
      .fetchInterval = fields.number("stepCycles.fetchInterval", cycles),
      .fetchTurn = fields.number("stepCycles.fetchTurn", cycles),
      .mostFetching = fields.integer("stepCycles.mostFetching", {0, 64}),
      .shuffle = fields.number("stepCycles.shuffle", cycles),
      .sharedAtomic = fields.number("stepCycles.sharedAtomic", cycles),
      .contendedAtomic = fields.number("stepCycles.contendedAtomic", cycles),
      .contendedFloatPasses = fields.number("stepCycles.contendedFloatPasses", {0, 1e3}),
      .constant = fields.number("stepCycles.constant", cycles),
      .constantPass = fields.number("stepCycles.constantPass", cycles),
      .constantTurn = fields.number("stepCycles.constantTurn", cycles),
      .vote = fields.number("stepCycles.vote", cycles),
      .barrierResult = fields.number("stepCycles.barrierResult", cycles),
      .gather = fields.number("stepCycles.gather", cycles),
      .l1Access = fields.number("stepCycles.l1Access", cycles),
      .l1Line = fields.number("stepCycles.l1Line", cycles),
      .l1NewLine = fields.number("stepCycles.l1NewLine", cycles),
  };
}

void readFirstTouch(JsonReader& fields, Device& device) {
  constexpr NumberRange microseconds{0, 1e5};
  const auto read = [&](const char* fixed, const char* first, const char* perMiB) {
    return MoveMicroseconds{.fixed = fields.number(fixed, microseconds),
                            .first = fields.number(first, microseconds),
                            .perMiB = fields.number(perMiB, microseconds)};
  };
  device.firstTouch = FirstTouchMicroseconds{
      .written = read("firstTouchMicroseconds.written", "firstTouchMicroseconds.writtenFirstMiB",
                      "firstTouchMicroseconds.writtenPerMiB"),
      .fresh = read("firstTouchMicroseconds.fresh", "firstTouchMicroseconds.freshFirstMiB",
                    "firstTouchMicroseconds.freshPerMiB"),
      .prefetch = read("firstTouchMicroseconds.prefetch", "firstTouchMicroseconds.prefetchFirstMiB",
                       "firstTouchMicroseconds.prefetchPerMiB"),
  };
}

/// A source named for a group ("clocks") covers the fields below it ("clocks.memoryMHz").
bool hasSource(const Device& device, std::string path) {
  for (;;) {
    if (device.sources.contains(path))
      return true;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos)
      return false;
    path.resize(dot);
  }
}

void requireSources(JsonReader& fields, const JsonReader::Json& root, const Device& device) {
  for (const char* group :
       {"multiprocessors", "clocks", "memory", "issue", "lanesPerCycle", "latencyCycles",
        "controlCycles", "stepCycles", "firstTouchMicroseconds", "launch"}) {
    if (!root.contains(group))
      continue;
    const JsonReader::Json& value = root[group];
    if (!value.is_object() && !hasSource(device, group))
      fields.complainOf(group, "has no entry in 'sources'");
    if (value.is_object())
      for (const auto& [key, item] : value.items())
        if (!hasSource(device, fmt::format("{}.{}", group, key)))
          fields.complainOf(fmt::format("{}.{}", group, key), "has no entry in 'sources'");
  }
}

} // namespace

double MoveMicroseconds::of(double bytes) const {
  const double mebibytes = bytes / (1 << 20);
  return bytes > 0 ? fixed + first * std::min(1.0, mebibytes) + perMiB * mebibytes : 0;
}

int Device::warpsToHideArithmetic() const {
  const double warpInstructionsPerCycleFp32 = lanesPerCycle.fp32 / warpSize;
  return static_cast<int>(std::ceil(latencyCycles.arithmetic * warpInstructionsPerCycleFp32));
}

Expected<Device> parseDevice(std::string_view text, std::string_view origin) {
  const auto root = JsonReader::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded() || !root.is_object())
    return fail(ErrorKind::BadInput, "{}: not a JSON object", origin);
  std::optional<Error> error;
  JsonReader fields(root, "", error, wording);
  Device device;
  device.text = text;
  readIdentity(fields, device);
  readMachine(fields, device);
  readRates(fields, device);
  if (root.contains("controlCycles"))
    readControl(fields, device);
  if (root.contains("stepCycles"))
    readSteps(fields, device);
  if (root.contains("firstTouchMicroseconds"))
    readFirstTouch(fields, device);
  for (const auto& [path, source] : fields.namedTexts("sources"))
    device.sources[path] = source;
  requireSources(fields, root, device);
  fields.refuseUnread();
  if (error)
    return tl::unexpected(within(origin, *error));
  return device;
}

} // namespace heddle::machine
