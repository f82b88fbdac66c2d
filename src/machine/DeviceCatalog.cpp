// SPDX-License-Identifier: Apache-2.0
#include "machine/DeviceCatalog.h"

#include "support/EmbeddedFile.h"
#include "support/Files.h"
#include "support/NearestName.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstdlib>
#include <span>
#include <tuple>

namespace heddle::machine {

/// devices/*.json, built into the program; ordered by file name.
std::span<const EmbeddedFile> embeddedDevices();

namespace {

/// "GeForce GTX 280", "geforce-gtx-280" and the driver's "NVIDIA GeForce GTX 280" are the same
/// name.
std::string folded(std::string_view name) {
  std::string key;
  for (const unsigned char letter : name)
    if (std::isalnum(letter))
      key += static_cast<char>(std::tolower(letter));
  constexpr std::string_view vendor = "nvidia";
  return key.starts_with(vendor) ? key.substr(vendor.size()) : key;
}

std::vector<Device> loadBuiltins() {
  std::vector<Device> devices;
  for (const EmbeddedFile& file : embeddedDevices()) {
    auto device = parseDevice(file.text, file.name);
    if (!device) { // our own file, checked by a test: a bug, told as one in release builds too
      fmt::print(stderr, "heddle: built-in device file is broken: {}\n", device.error().message);
      std::abort();
    }
    devices.push_back(std::move(*device));
  }
  std::ranges::sort(devices, {},
                    [](const Device& device) { return std::tie(device.year, device.name); });
  return devices;
}

bool isCalled(const Device& device, const std::string& key) {
  return folded(device.name) == key ||
         std::ranges::any_of(device.aliases,
                             [&](const std::string& alias) { return folded(alias) == key; });
}

bool looksLikePath(std::string_view text) {
  return text.ends_with(".json") || text.find('/') != std::string_view::npos;
}

} // namespace

const std::vector<Device>& builtinDevices() {
  static const std::vector<Device> devices = loadBuiltins();
  return devices;
}

const Device& referenceDevice() {
  static const Device& known = *std::ranges::find(builtinDevices(), "H200 SXM", &Device::name);
  return known;
}

const StepCycles& stepCyclesOf(const Device& device) {
  return device.stepCycles ? *device.stepCycles : referenceDevice().stepCycles.value();
}

Expected<Device> findDevice(std::string_view name) {
  const std::string key = folded(name);
  std::vector<std::string> known;
  for (const Device& device : builtinDevices()) {
    if (!key.empty() && isCalled(device, key))
      return device;
    known.insert(known.end(), device.aliases.begin(), device.aliases.end());
  }
  return fail(ErrorKind::NotFound,
              "unknown device '{}'{} ('heddle devices' lists them; a file.json or cc9.0 works too)",
              name, didYouMean(key, known));
}

Expected<Target> resolveTarget(std::string_view text) {
  if (looksLikeComputeCapability(text)) {
    HEDDLE_TRY(const ComputeCapability capability, parseComputeCapability(text));
    HEDDLE_TRY(const SmLimits limits, findSmLimits(capability));
    return Target{"compute capability " + capability.text(), limits, std::nullopt};
  }
  HEDDLE_TRY(Device device, resolveDevice(text));
  return Target{device.name, device.limits, std::move(device)};
}

Expected<Device> resolveDevice(std::string_view text) {
  if (looksLikeComputeCapability(text))
    return fail(ErrorKind::BadInput,
                "'{}' is a compute capability; name a GPU ('heddle devices' lists them) or a "
                "file.json",
                text);
  if (!looksLikePath(text))
    return findDevice(text);
  HEDDLE_TRY(const std::string file, readFile(std::string(text)));
  return parseDevice(file, text);
}

} // namespace heddle::machine
