// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileReader.h"

#include <algorithm>
#include <limits>

namespace heddle::profile {

void ProfileReader::complain(const std::string& message) {
  if (!error_)
    error_ = Error{ErrorKind::BadInput, place_.empty() ? message : place_ + ": " + message};
}

const nlohmann::json& ProfileReader::field(const Json& json, const char* name) {
  static const Json nothing;
  if (!json.is_object()) {
    complain("expected an object");
    return nothing;
  }
  const auto found = json.find(name);
  if (found == json.end()) {
    complain(fmt::format("field '{}' is missing", name));
    return nothing;
  }
  return *found;
}

std::uint64_t ProfileReader::count(const Json& json, const char* name) {
  const Json& value = field(json, name);
  if (!value.is_number_unsigned()) {
    complain(fmt::format("field '{}': expected a whole number of at least 0", name));
    return 0;
  }
  return value.get<std::uint64_t>();
}

int ProfileReader::integer(const Json& json, const char* name) {
  const std::uint64_t value = count(json, name);
  if (!std::in_range<int>(value)) {
    complain(fmt::format("field '{}': {} is too large", name, value));
    return 0;
  }
  return static_cast<int>(value);
}

double ProfileReader::number(const Json& json, const char* name) {
  const Json& value = field(json, name);
  if (!value.is_number()) {
    complain(fmt::format("field '{}': expected a number", name));
    return 0;
  }
  return value.get<double>();
}

std::string ProfileReader::text(const Json& json, const char* name) {
  const Json& value = field(json, name);
  if (!value.is_string()) {
    complain(fmt::format("field '{}': expected a text", name));
    return "";
  }
  return value.get<std::string>();
}

std::size_t ProfileReader::word(const Json& json, const char* name,
                                std::span<const char* const> words) {
  const std::string found = text(json, name);
  const auto at = std::ranges::find(words, found);
  if (at == words.end()) {
    complain(fmt::format("field '{}': '{}' is not one of {}", name, found, fmt::join(words, ", ")));
    return 0;
  }
  return std::size_t(at - words.begin());
}

template <class Number, std::size_t size>
std::array<Number, size> ProfileReader::numbers(const Json& json, const char* name) {
  const Json& value = field(json, name);
  const bool whole =
      value.is_array() && value.size() <= size &&
      std::ranges::all_of(value, [](const Json& number) {
        return number.is_number_unsigned() && std::in_range<Number>(number.get<std::uint64_t>());
      });
  std::array<Number, size> result{};
  if (whole)
    std::ranges::transform(value, result.begin(), [](const Json& n) { return n.get<Number>(); });
  else
    complain(fmt::format("field '{}': expected at most {} whole numbers", name, size));
  return result;
}

template <class Read> void ProfileReader::list(const Json& json, const char* name, Read read) {
  const Json& value = field(json, name);
  if (!value.is_array()) {
    complain(fmt::format("field '{}': expected a list", name));
    return;
  }
  const std::string outer = place_;
  for (std::size_t i = 0; i < value.size(); ++i) {
    place_ = fmt::format("{}{}{}[{}]", outer, outer.empty() ? "" : ".", name, i);
    read(value[i]);
  }
  place_ = outer;
}

SourceLocation ProfileReader::location(const Json& json) {
  return {text(json, "file"), integer(json, "line"), integer(json, "column")};
}

Site ProfileReader::site(const Json& json) {
  Site site{location(json), text(json, "function"), {}};
  list(json, "inlinedAt", [&](const Json& call) { site.inlinedAt.push_back(location(call)); });
  return site;
}

BranchProfile ProfileReader::branch(const Json& json) {
  BranchProfile branch;
  branch.site = site(json);
  branch.targets = integer(json, "targets");
  branch.executions = count(json, "executions");
  branch.divergentExecutions = count(json, "divergentExecutions");
  branch.laneExecutions = count(json, "laneExecutions");
  branch.lanesTaken = count(json, "lanesTaken");
  branch.lostSlots = count(json, "lostSlots");
  branch.lostCycles = number(json, "lostCycles");
  branch.pathRuns = numbers<std::uint64_t, 2>(json, "pathRuns");
  branch.pathInstructions = numbers<std::uint64_t, 2>(json, "pathInstructions");
  return branch;
}

LoopProfile ProfileReader::loop(const Json& json) {
  LoopProfile loop;
  loop.site = site(json);
  loop.lanes = count(json, "lanes");
  loop.iterations = count(json, "iterations");
  const std::uint64_t fewest = count(json, "fewest");
  if (loop.lanes > 0)
    loop.fewest = fewest;
  loop.most = count(json, "most");
  loop.histogram = numbers<std::uint64_t, LoopProfile::buckets>(json, "histogram");
  return loop;
}

MemoryProfile ProfileReader::access(const Json& json) {
  MemoryProfile access;
  access.site = site(json);
  access.kind = AccessKind(word(json, "kind", accessKindNames));
  access.space = MemorySpace(word(json, "space", memorySpaceNames));
  access.bytesPerLane = integer(json, "bytesPerLane");
  access.executions = count(json, "executions");
  access.lanes = count(json, "lanes");
  access.transactions = count(json, "transactions");
  access.ideal = count(json, "ideal");
  return access;
}

KernelTiming ProfileReader::timing(const Json& json) {
  KernelTiming timing;
  timing.registers = {integer(json, "registers"), integer(json, "spillBytes"),
                      text(json, "registersFrom")};
  timing.occupancy = number(json, "occupancy");
  timing.residentBlocks = integer(json, "residentBlocks");
  timing.limiter = text(json, "limiter");
  timing.seconds = number(json, "seconds");
  timing.cycles = number(json, "cycles");
  const Json& by = field(json, "secondsBy");
  for (std::size_t i = 0; i < boundCount; ++i)
    timing.secondsBy[i] = number(by, boundNames[i]);
  timing.sampledBlocks = std::int64_t(count(json, "sampledBlocks"));
  timing.spread = number(json, "spread");
  return timing;
}

/// The lost slots with no place of their own, and whether the list agrees with the branches.
void ProfileReader::owners(const Json& json, KernelProfile& kernel) {
  static constexpr const char* kinds[] = {"branch", "finished", "partial"};
  std::array<std::uint64_t, 3> sums{};
  list(json, "lost", [&](const Json& owner) {
    const std::size_t kind = word(owner, "kind", kinds);
    sums[kind] += count(owner, "slots");
  });
  kernel.lostToFinished = sums[1];
  kernel.lostToPartial = sums[2];
  if (sums[0] != kernel.lostToBranches())
    complain(fmt::format("'lost' charges {} slots to branches, 'branches' {}", sums[0],
                         kernel.lostToBranches()));
}

KernelProfile ProfileReader::kernel(const Json& json) {
  KernelProfile kernel;
  kernel.kernel = text(json, "name");
  kernel.launches = count(json, "launches");
  kernel.grid = numbers<int, 3>(json, "grid");
  kernel.block = numbers<int, 3>(json, "block");
  kernel.dynamicShared = count(json, "dynamicShared");
  kernel.staticShared = count(json, "staticShared");
  kernel.blocks = count(json, "blocks");
  kernel.memoryBlocks = count(json, "memoryBlocks");
  kernel.threadInstructions = count(json, "threadInstructions");
  kernel.warpInstructions = count(json, "warpInstructions");
  kernel.seconds = number(json, "seconds");
  kernel.laneCycles = number(json, "laneCycles");
  if (const Json& timed = field(json, "timing"); !timed.is_null())
    kernel.timing = timing(timed);
  list(json, "branches", [&](const Json& one) { kernel.branches.push_back(branch(one)); });
  list(json, "loops", [&](const Json& one) { kernel.loops.push_back(loop(one)); });
  list(json, "memory", [&](const Json& one) { kernel.accesses.push_back(access(one)); });
  owners(json, kernel);
  if (!kernel.addsUp())
    complain(fmt::format("kernel '{}' does not add up: {} used and {} lost of {} lane slots",
                         kernel.kernel, kernel.threadInstructions,
                         kernel.lostToBranches() + kernel.lostToFinished + kernel.lostToPartial,
                         kernel.slots()));
  return kernel;
}

LaunchRecord ProfileReader::launch(const Json& json) {
  LaunchRecord launch;
  launch.kernel = count(json, "kernel");
  launch.grid = numbers<int, 3>(json, "grid");
  launch.block = numbers<int, 3>(json, "block");
  launch.warpInstructions = count(json, "warpInstructions");
  launch.threadInstructions = count(json, "threadInstructions");
  launch.seconds = number(json, "seconds");
  launch.estimatedSeconds = number(json, "estimatedSeconds");
  return launch;
}

ProgramProfile ProfileReader::program(const Json& json) {
  ProgramProfile profile;
  profile.device = text(json, "device");
  profile.reconvergence = text(json, "reconvergence");
  profile.ending = Ending(word(json, "ending", endingNames));
  profile.fault = field(json, "fault").is_null() ? "" : text(json, "fault");
  list(json, "kernels", [&](const Json& one) { profile.kernels.push_back(kernel(one)); });
  list(json, "launches", [&](const Json& one) {
    profile.launches.push_back(launch(one));
    if (profile.launches.back().kernel >= profile.kernels.size())
      complain(
          fmt::format("kernel {} of {}", profile.launches.back().kernel, profile.kernels.size()));
  });
  if (json.contains("remarks"))
    list(json, "remarks", [&](const Json& one) {
      profile.remarks.push_back(
          {text(one, "kind"), text(one, "text"), location(one), count(one, "count")});
    });
  return profile;
}

} // namespace heddle::profile
