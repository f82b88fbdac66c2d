// SPDX-License-Identifier: Apache-2.0
#include "report/DeviceReport.h"

#include "report/Json.h"
#include "report/Table.h"

#include <fmt/format.h>

namespace heddle::report {
namespace {

using machine::Device;
using machine::SmLimits;

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A line per number: name, value, source. Sources stand at the group or at the number.
void addFields(Table& table, const nlohmann::ordered_json& value, const std::string& path,
               const std::map<std::string, std::string>& sources, std::string source) {
  if (const auto found = sources.find(path); found != sources.end())
    source = found->second;
  if (!value.is_object()) {
    table.addRow({path, value.is_null() ? "none" : value.dump(), source});
    return;
  }
  for (const auto& [key, item] : value.items())
    addFields(table, item, path.empty() ? key : path + "." + key, sources, source);
}

Json limitsJson(const SmLimits& limits) {
  std::vector<int> sizes(limits.sharedSizes().begin(), limits.sharedSizes().end());
  return {{"warps", limits.warps},
          {"blocks", limits.blocks},
          {"threadsPerBlock", limits.threadsPerBlock},
          {"registers", limits.registers},
          {"registersPerBlock", limits.registersPerBlock},
          {"registersPerThread", limits.registersPerThread},
          {"registerUnit", limits.registerUnit},
          {"partitions", limits.partitions},
          {"sharedPerBlock", limits.sharedPerBlock},
          {"sharedPerBlockOptIn", limits.sharedPerBlockOptIn},
          {"sharedReserved", limits.sharedReserved},
          {"sharedUnit", limits.sharedUnit},
          {"sharedSizes", sizes},
          {"barriers", limits.barriers}};
}

} // namespace

std::string deviceListText(const std::vector<Device>& devices, const TextStyle& style) {
  Table table("llrrrrl");
  table.addRow({style.bold("name"), style.bold("aliases"), style.bold("cc"), style.bold("SMs"),
                style.bold("MHz"), style.bold("GB/s"), style.bold("architecture")});
  for (const Device& device : devices)
    table.addRow({device.name, joined(device.aliases), device.limits.computeCapability.text(),
                  std::to_string(device.multiprocessors),
                  fmt::format("{:.0f}", device.multiprocessorMHz),
                  fmt::format("{:.0f}", device.bandwidthGBps),
                  fmt::format("{}, {}", device.architecture, device.year)});
  return table.print(0);
}

std::string deviceListJson(const std::vector<Device>& devices) {
  Json json = startJson("devices");
  json["devices"] = Json::array();
  for (const Device& device : devices)
    json["devices"].push_back({{"name", device.name},
                               {"aliases", device.aliases},
                               {"computeCapability", device.limits.computeCapability.text()},
                               {"chip", device.chip},
                               {"architecture", device.architecture},
                               {"year", device.year},
                               {"multiprocessors", device.multiprocessors},
                               {"multiprocessorMHz", device.multiprocessorMHz},
                               {"bandwidthGBps", device.bandwidthGBps},
                               {"memoryMiB", device.memoryMiB}});
  return printJson(json);
}

std::string deviceText(const Device& device, const TextStyle& style) {
  const SmLimits& limits = device.limits;
  std::string text =
      fmt::format("{} ({}), {} {}, {}, compute capability {}\n\n", style.bold(device.name),
                  joined(device.aliases), device.architecture, device.chip, device.year,
                  limits.computeCapability.text());
  Table numbers("lrl");
  auto file = Json::parse(device.text);
  for (const char* group : {"multiprocessors", "clocks", "memory", "issue", "lanesPerCycle",
                            "latencyCycles", "shared", "launch"})
    addFields(numbers, file[group], group, device.sources, "");
  text += numbers.print();
  text += "\n" + style.bold("limits of a multiprocessor") + "\n";
  Table table("lr");
  const Json limitFields = limitsJson(limits);
  for (const auto& [key, value] : limitFields.items())
    table.addRow({key, value.dump()});
  return text + table.print();
}

std::string deviceJson(const Device& device) {
  Json json = Json::parse(device.text);
  json["limits"] = limitsJson(device.limits);
  return printJson(json);
}

} // namespace heddle::report
