// SPDX-License-Identifier: Apache-2.0
//
// What the page cannot work out by itself goes beside the profile: the rows that the text report
// shows, occupancy and its curves, the sources, the advice.
#include "machine/DeviceCatalog.h"
#include "page/Page.h"
#include "profile/ProfileJson.h"
#include "report/Json.h"
#include "report/OccupancyReport.h"
#include "report/ProfileRows.h"

namespace heddle::page {
namespace {

using profile::KernelProfile;
using report::Json;

Json placeJson(const profile::SourceLocation& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

Json worstJson(const KernelProfile& kernel) {
  Json rows = Json::array();
  for (const report::BranchRow& row : report::worstBranches(kernel)) {
    Json json = placeJson(row.where);
    json["slots"] = row.lostSlots;
    json["cycles"] = row.lostCycles;
    json["why"] = row.why;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json switchedOffJson(const std::vector<report::OffRow>& lines) {
  Json rows = Json::array();
  for (const report::OffRow& row : lines) {
    Json json = placeJson(row.where);
    json["slots"] = row.switchedOff;
    json["share"] = row.share;
    json["what"] = row.what;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json memoryJson(const KernelProfile& kernel) {
  Json rows = Json::array();
  for (const report::MemoryRow& row : report::notableAccesses(kernel)) {
    Json json = placeJson(row.where);
    json["excess"] = row.excess;
    json["what"] = row.what;
    rows.push_back(std::move(json));
  }
  return rows;
}

/// Only the points at which a curve changes: [value, active warps].
Json stepsJson(const std::vector<machine::CurvePoint>& curve) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (i == 0 || i + 1 == curve.size() || curve[i].activeWarps != curve[i - 1].activeWarps)
      steps.push_back({curve[i].value, curve[i].activeWarps});
  return steps;
}

Json changeJson(const std::optional<machine::ResourceChange>& change) {
  if (!change)
    return nullptr;
  return {{"value", change->value}, {"occupancy", change->occupancy}};
}

/// Null where the device is not one of ours, or nothing was timed.
Json occupancyOf(const KernelProfile& kernel, const std::string& deviceName) {
  const auto device = machine::findDevice(deviceName);
  if (!device || !kernel.timing)
    return nullptr;
  const machine::SmLimits& limits = device->limits;
  machine::KernelResources needs;
  needs.threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  needs.registers = kernel.timing->registers.registers;
  needs.shared = int(kernel.staticShared + kernel.dynamicShared);
  if (!machine::validateResources(limits, needs))
    return nullptr;
  const machine::Occupancy found = machine::computeOccupancy(limits, needs);
  const machine::OccupancyAdvice advice = machine::adviseOccupancy(limits, needs);
  const auto curve = [&](machine::CurveAxis axis) {
    return stepsJson(machine::occupancyCurve(limits, needs, axis));
  };
  Json blockLimit;
  for (const machine::Limiter limiter : machine::allLimiters) {
    const int most = found.limitBy(limiter);
    blockLimit[std::string(machine::limiterName(limiter))] =
        most == machine::unlimited ? Json(nullptr) : Json(most);
  }
  return {{"threads", needs.threads},
          {"registers", needs.registers},
          {"shared", needs.shared},
          {"activeWarps", found.activeWarps},
          {"activeBlocks", found.activeBlocks},
          {"mostWarps", limits.warps},
          {"blockLimit", blockLimit},
          {"curves",
           {{"threads", curve(machine::CurveAxis::Threads)},
            {"registers", curve(machine::CurveAxis::Registers)},
            {"shared", curve(machine::CurveAxis::Shared)}}},
          {"advice",
           {{"fewerRegisters", changeJson(advice.fewerRegisters)},
            {"smallerBlock", changeJson(advice.smallerBlock)},
            {"largerBlock", changeJson(advice.largerBlock)},
            {"lessShared", changeJson(advice.lessShared)},
            {"registersForFree", advice.registersForFree},
            {"sharedForFree", advice.sharedForFree}}}};
}

Json kernelsJson(const profile::ProgramProfile& profile) {
  Json kernels = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json json{{"worst", worstJson(kernel)},
              {"memory", memoryJson(kernel)},
              {"occupancy", occupancyOf(kernel, profile.device)}};
    if (const std::vector<report::OffRow> lines = report::switchedOffLines(kernel); !lines.empty())
      json["switchedOff"] = switchedOffJson(lines);
    kernels.push_back(std::move(json));
  }
  return kernels;
}

Json sourcesJson(const std::vector<PageSource>& sources) {
  Json files = Json::array();
  for (const PageSource& source : sources)
    files.push_back({{"file", source.file},
                     {"text", source.text},
                     {"missing", source.missing},
                     {"changed", source.changed}});
  return files;
}

Json adviceJson(const std::vector<advise::Candidate>& advice) {
  Json candidates = Json::array();
  for (const advise::Candidate& each : advice)
    if (!each.isAdvice)
      candidates.push_back(
          {{"rewrite", each.rewrite},
           {"form", each.form},
           {"kernelId", each.kernelId},
           {"file", each.file},
           {"line", each.line},
           {"column", each.column},
           {"applies", each.applies},
           {"id", each.id},
           {"tried", each.tried},
           {"reason", each.reason},
           {"speedup", each.predictedSpeedup > 0 ? Json(each.predictedSpeedup) : Json(nullptr)},
           {"low", each.low},
           {"high", each.high}});
  return candidates;
}

Json runJson(const PageRun& run) {
  return {{"name", run.name},
          {"command", run.command},
          {"profile", Json::parse(profile::writeProfile(run.profile))},
          {"kernels", kernelsJson(run.profile)},
          {"sources", sourcesJson(run.sources)},
          {"advice", adviceJson(run.advice)},
          {"fix", run.fix.empty() ? Json(nullptr) : Json::parse(run.fix)}};
}

} // namespace

std::string pageData(const std::vector<PageRun>& runs, std::string_view version) {
  Json document = report::startJson("report");
  document["version"] = version;
  document["runs"] = Json::array();
  for (const PageRun& run : runs)
    document["runs"].push_back(runJson(run));
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace heddle::page
