// SPDX-License-Identifier: Apache-2.0
#include "driver/KeptAdvice.h"

#include "frontend/CompileCache.h"
#include "frontend/ContentHash.h"
#include "frontend/Toolchain.h"
#include "profile/ProfileJson.h"
#include "report/Json.h"
#include "support/Files.h"

namespace heddle::driver {
namespace {

using report::Json;

/// Equal for two runs that differ in their times only, or in what else they were asked to keep.
std::string profileName(profile::ProgramProfile profile) {
  profile.lines.clear();
  profile.timelines.clear();
  for (profile::KernelProfile& kernel : profile.kernels) {
    kernel.seconds = 0;
    kernel.recorded.reset();
  }
  for (profile::LaunchRecord& launch : profile.launches)
    launch.seconds = 0;
  return frontend::contentName(profile::writeProfile(profile));
}

Json toJson(const advise::Candidate& each) {
  return {{"rewrite", each.rewrite},  {"form", each.form},
          {"kernel", each.kernel},    {"kernelId", each.kernelId},
          {"file", each.file},        {"line", each.line},
          {"column", each.column},    {"applies", each.applies},
          {"tried", each.tried},      {"id", each.id},
          {"reason", each.reason},    {"predictedSpeedup", each.predictedSpeedup},
          {"low", each.low},          {"high", each.high},
          {"isAdvice", each.isAdvice}};
}

advise::Candidate fromJson(const Json& json) {
  return {.rewrite = json.at("rewrite"),
          .form = json.at("form"),
          .kernel = json.at("kernel"),
          .kernelId = json.at("kernelId"),
          .file = json.at("file"),
          .line = json.at("line"),
          .column = json.at("column"),
          .applies = json.at("applies"),
          .id = json.at("id"),
          .tried = json.at("tried"),
          .isAdvice = json.at("isAdvice"),
          .reason = json.at("reason"),
          .predictedSpeedup = json.at("predictedSpeedup"),
          .low = json.at("low"),
          .high = json.at("high")};
}

std::optional<frontend::CompileCache> cache() {
  const auto folder = frontend::CompileCache::defaultFolder();
  return folder ? std::optional<frontend::CompileCache>(*folder) : std::nullopt;
}

} // namespace

Expected<KeptAdvice> KeptAdvice::open(AdviceFrom from, const profile::ProgramProfile& profile,
                                      const frontend::ProgramSpec& program) {
  KeptAdvice kept;
  kept.opened_ = std::filesystem::file_time_type::clock::now();
  HEDDLE_TRY(const frontend::Toolchain toolchain, frontend::Toolchain::open(true));
  std::string texts;
  for (const std::string& file : program.files) {
    HEDDLE_TRY(const std::string text, readFile(file));
    texts += toolchain.key(frontend::Pass::Device, program.flagsOf(file), file, text, "");
  }
  kept.key_ = toolchain.key(frontend::Pass::Device, {}, "advice", texts,
                            from == AdviceFrom::Models ? "advice 4" : "verdicts 3");
  kept.profile_ = profileName(profile);
  return kept;
}

std::optional<Advice> KeptAdvice::find() const {
  const auto folder = cache();
  const auto entry = folder ? folder->find(key_) : std::nullopt;
  if (!entry)
    return {};
  const Json json = Json::parse(entry->content, nullptr, false);
  if (!json.is_object() || json.value("profile", "") != profile_)
    return {};
  try { // an entry that another version wrote, or a disk
    Advice advice;
    for (const Json& each : json.at("advice"))
      advice.push_back(fromJson(each));
    return advice;
  } catch (const Json::exception&) {
    return {};
  }
}

void KeptAdvice::store(const Advice& advice, const std::vector<std::filesystem::path>& read) const {
  Json list = Json::array();
  for (const advise::Candidate& each : advice)
    list.push_back(toJson(each));
  const Json json{{"profile", profile_}, {"advice", std::move(list)}};
  if (const auto folder = cache())
    folder->store(key_, {json.dump(-1, ' ', false, Json::error_handler_t::replace), ""}, read,
                  opened_);
}

} // namespace heddle::driver
