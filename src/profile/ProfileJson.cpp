// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileJson.h"

#include "profile/ProfileReader.h"
#include "support/LaneMask.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace heddle::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schemaName = "heddle.profile/1";

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

Json placeJson(const SourceLocation& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

Json siteJson(const Site& site) {
  Json json = placeJson(site.where);
  json["function"] = site.function;
  json["inlinedAt"] = Json::array();
  for (const SourceLocation& call : site.inlinedAt)
    json["inlinedAt"].push_back(placeJson(call));
  return json;
}

Json branchJson(const BranchProfile& branch) {
  Json json = siteJson(branch.site);
  json.update({{"targets", branch.targets},
               {"executions", branch.executions},
               {"divergentExecutions", branch.divergentExecutions},
               {"laneExecutions", branch.laneExecutions},
               {"lanesTaken", branch.lanesTaken},
               {"lostSlots", branch.lostSlots},
               {"lostCycles", branch.lostCycles},
               {"pathRuns", branch.pathRuns},
               {"pathInstructions", branch.pathInstructions}});
  return json;
}

/// Without the empty buckets at the end.
Json histogramJson(const LoopProfile& loop) {
  Json json = loop.histogram;
  while (!json.empty() && json.back() == 0)
    json.erase(json.size() - 1);
  return json;
}

Json loopJson(const LoopProfile& loop) {
  Json json = siteJson(loop.site);
  json.update({{"lanes", loop.lanes},
               {"iterations", loop.iterations},
               {"mean", ratio(loop.iterations, loop.lanes)},
               {"fewest", loop.lanes == 0 ? 0 : loop.fewest},
               {"most", loop.most},
               {"histogram", histogramJson(loop)}});
  return json;
}

Json memoryJson(const MemoryProfile& access) {
  Json json = siteJson(access.site);
  json.update({{"kind", accessKindNames[std::size_t(access.kind)]},
               {"space", memorySpaceNames[std::size_t(access.space)]},
               {"bytesPerLane", access.bytesPerLane},
               {"executions", access.executions},
               {"lanes", access.lanes},
               {"transactions", access.transactions},
               {"ideal", access.ideal}});
  const char* name = access.space == MemorySpace::Shared ? "conflictDegree" : "sectorsPerRequest";
  json[name] = ratio(access.transactions, access.executions);
  return json;
}

Json lostJson(const KernelProfile& kernel) {
  std::vector<const BranchProfile*> worst;
  for (const BranchProfile& branch : kernel.branches)
    if (branch.lostSlots > 0)
      worst.push_back(&branch);
  std::ranges::sort(worst, [](const BranchProfile* a, const BranchProfile* b) {
    return std::tie(b->lostSlots, a->site) < std::tie(a->lostSlots, b->site);
  });
  Json list = Json::array();
  const auto add = [&list](const char* kind, const Json& site, std::uint64_t slots) {
    Json owner{{"kind", kind}};
    owner.update(site);
    owner["slots"] = slots;
    if (slots > 0)
      list.push_back(std::move(owner));
  };
  for (const BranchProfile* branch : worst)
    add("branch", siteJson(branch->site), branch->lostSlots);
  add("finished", placeJson({}), kernel.lostToFinished);
  add("partial", placeJson({}), kernel.lostToPartial);
  return list;
}

template <class Record, class Print>
Json listJson(const std::vector<Record>& records, Print printed) {
  Json list = Json::array();
  for (const Record& record : records)
    list.push_back(printed(record));
  return list;
}

Json timingJson(const KernelTiming& timing) {
  Json by = Json::object();
  for (std::size_t i = 0; i < boundCount; ++i)
    by[boundNames[i]] = timing.secondsBy[i];
  return {{"registers", timing.registers.registers},
          {"spillBytes", timing.registers.spillBytes},
          {"registersFrom", timing.registers.source},
          {"occupancy", timing.occupancy},
          {"residentBlocks", timing.residentBlocks},
          {"limiter", timing.limiter},
          {"seconds", timing.seconds},
          {"cycles", timing.cycles},
          {"bound", boundNames[std::size_t(timing.bound())]},
          {"secondsBy", by},
          {"sampledBlocks", timing.sampledBlocks},
          {"spread", timing.spread}};
}

Json kernelJson(const KernelProfile& kernel) {
  return {{"name", kernel.kernel},
          {"launches", kernel.launches},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"dynamicShared", kernel.dynamicShared},
          {"staticShared", kernel.staticShared},
          {"blocks", kernel.blocks},
          {"memoryBlocks", kernel.memoryBlocks},
          {"threadInstructions", kernel.threadInstructions},
          {"warpInstructions", kernel.warpInstructions},
          {"seconds", kernel.seconds},
          {"efficiency", kernel.efficiency()},
          {"averageActiveThreads", kernel.efficiency() * warpSize},
          {"laneCycles", kernel.laneCycles},
          {"timing", kernel.timing ? timingJson(*kernel.timing) : Json(nullptr)},
          {"lost", lostJson(kernel)},
          {"branches", listJson(kernel.branches, branchJson)},
          {"loops", listJson(kernel.loops, loopJson)},
          {"memory", listJson(kernel.accesses, memoryJson)}};
}

Json remarkJson(const Remark& remark) {
  Json json = placeJson(remark.where);
  json.update({{"kind", remark.kind}, {"text", remark.text}, {"count", remark.count}});
  return json;
}

Json launchJson(const LaunchRecord& launch) {
  return {{"kernel", launch.kernel},
          {"grid", launch.grid},
          {"block", launch.block},
          {"warpInstructions", launch.warpInstructions},
          {"threadInstructions", launch.threadInstructions},
          {"seconds", launch.seconds},
          {"estimatedSeconds", launch.estimatedSeconds}};
}

} // namespace

std::string writeProfile(const ProgramProfile& profile) {
  Json json{{"schema", schemaName},
            {"device", profile.device},
            {"reconvergence", profile.reconvergence},
            {"ending", endingNames[std::size_t(profile.ending)]},
            {"fault", profile.fault.empty() ? Json(nullptr) : Json(profile.fault)},
            {"kernels", listJson(profile.kernels, kernelJson)},
            {"launches", listJson(profile.launches, launchJson)}};
  if (!profile.remarks.empty())
    json["remarks"] = listJson(profile.remarks, remarkJson);
  // A path that is no UTF-8 must not cost the profile.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<ProgramProfile> readProfile(std::string_view text, std::string_view origin) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorKind::BadInput, "{} is no profile: no JSON object", origin);
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_string() ||
      !schema->get<std::string>().starts_with("heddle.profile/"))
    return fail(ErrorKind::BadInput, "{} is no profile: its \"schema\" is not {}", origin,
                schemaName);
  if (*schema != schemaName)
    return fail(ErrorKind::Unsupported, "{} is a profile of schema {}; this heddle reads {}",
                origin, schema->get<std::string>(), schemaName);
  ProfileReader reader;
  ProgramProfile profile = reader.program(json);
  if (reader.error())
    return tl::unexpected(within(origin, *reader.error()));
  return profile;
}

} // namespace heddle::profile
