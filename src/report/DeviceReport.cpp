// SPDX-License-Identifier: Apache-2.0
#include "report/DeviceReport.h"

#include "report/Json.h"
#include "report/Table.h"
#include "support/Printable.h"

#include <fmt/format.h>

namespace heddle::report {
namespace {

using machine::Device;
using machine::SmLimits;

std::string joined(const std::vector<std::string>& parts) {
  return printableLine(fmt::format("{}", fmt::join(parts, ", ")));
}

/// "multiprocessorMHz 1980  memoryMHz 3201", or the value alone of a group that is one number.
std::string fieldsText(const Json& group) {
  if (!group.is_object())
    return group.dump();
  std::string text;
  for (const auto& [key, value] : group.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : "  ", key,
                        value.is_null() ? "none" : value.dump());
  return text;
}

/// The sources of a group and of single fields in it, wrapped, a line or more each.
std::string sourcesText(const Device& device, const std::string& group, const TextStyle& style) {
  std::string text;
  for (const auto& [path, source] : device.sources) {
    if (path != group && !path.starts_with(group + "."))
      continue;
    const std::string field = path == group ? "" : path.substr(group.size() + 1) + ": ";
    for (const std::string& line : wrapText(printableLine(field + source), 92))
      text += "      " + style.faint(line) + "\n";
  }
  return text;
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
    table.addRow({printableLine(device.name), joined(device.aliases),
                  device.limits.computeCapability.text(), std::to_string(device.multiprocessors),
                  fmt::format("{:.0f}", device.multiprocessorMHz),
                  fmt::format("{:.0f}", device.bandwidthGBps),
                  fmt::format("{}, {}", printableLine(device.architecture), device.year)});
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
  std::string text = fmt::format("{} ({}), {} {}, {}, compute capability {}\n\n",
                                 style.bold(printableLine(device.name)), joined(device.aliases),
                                 printableLine(device.architecture), printableLine(device.chip),
                                 device.year, limits.computeCapability.text());
  const Json file = Json::parse(device.text);
  for (const char* group :
       {"multiprocessors", "clocks", "memory", "issue", "lanesPerCycle", "latencyCycles",
        "controlCycles", "stepCycles", "firstTouchMicroseconds", "launch"}) {
    if (!file.contains(group))
      continue;
    text += fmt::format("  {}   {}\n", style.bold(group), fieldsText(file[group])) +
            sourcesText(device, group, style);
  }
  text += "\n" + style.bold("limits of a multiprocessor") + "\n";
  Table table("ll");
  const Json limitFields = limitsJson(limits);
  for (const auto& [key, value] : limitFields.items())
    table.addRow({key, value.dump()});
  return text + table.print();
}

std::string deviceJson(const Device& device) {
  Json json = startJson("device-report");
  json["device"] = Json::parse(device.text);
  json["limits"] = limitsJson(device.limits);
  return printJson(json);
}

} // namespace heddle::report
