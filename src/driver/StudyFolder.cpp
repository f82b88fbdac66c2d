// SPDX-License-Identifier: Apache-2.0
#include "driver/StudyFolder.h"

#include "machine/DeviceCatalog.h"
#include "support/NearestName.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using study::Study;

Expected<void> checkDevice(const Study& study, const std::string& key, const std::string& device) {
  auto found = machine::resolveDevice(device);
  if (found)
    return {};
  const std::string file = (study.folder / "study.json").string();
  return tl::unexpected(within(fmt::format("{}: key '{}'", file, key), std::move(found).error()));
}

Expected<void> checkDevices(const Study& study) {
  HEDDLE_CHECK(checkDevice(study, "device", study.device));
  for (const std::string& device : study.devices)
    HEDDLE_CHECK(checkDevice(study, "devices", device));
  for (const auto& [device, kernels] : study.registers)
    HEDDLE_CHECK(checkDevice(study, "registers", device));
  for (std::size_t index = 0; index < study.checks.size(); ++index)
    for (const std::string& device : study.checks[index].devices)
      HEDDLE_CHECK(checkDevice(study, fmt::format("checks[{}].device", index), device));
  return {};
}

} // namespace

Expected<fs::path> findStudyFolder(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    if (fs::is_directory(given, error))
      return fs::path(given);
    return fail(ErrorKind::NotFound, "--studies {}: there is no such folder", given);
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "heddle" / "studies";
  for (const fs::path& folder : {installed, fs::path(HEDDLE_STUDIES)})
    if (fs::is_directory(folder, error))
      return folder;
  return fail(ErrorKind::NotFound,
              "no studies: neither {} nor {} is there; name their folder with --studies",
              installed.string(), HEDDLE_STUDIES);
}

Expected<Study> loadStudy(const fs::path& folder, const std::string& name) {
  HEDDLE_TRY(Study study, study::readStudy(folder / name));
  HEDDLE_CHECK(checkDevices(study));
  return study;
}

Expected<std::vector<Study>> loadStudies(const fs::path& folder,
                                         const std::vector<std::string>& names) {
  HEDDLE_TRY(const std::vector<std::string> known, study::studyNames(folder));
  const bool all = std::ranges::find(names, "all") != names.end();
  if (all && known.empty())
    return fail(ErrorKind::NotFound, "no studies in {}: no folder there holds a study.json",
                folder.string());
  std::vector<Study> studies;
  for (const std::string& name : all ? known : names) {
    if (std::ranges::find(known, name) == known.end())
      return fail(ErrorKind::NotFound, "unknown study '{}'{} ('heddle study list' lists them)",
                  name, didYouMean(name, known));
    HEDDLE_TRY(Study study, loadStudy(folder, name));
    studies.push_back(std::move(study));
  }
  return studies;
}

std::vector<std::string> knownStudies() {
  const auto folder = findStudyFolder("");
  if (!folder)
    return {};
  return study::studyNames(*folder).value_or(std::vector<std::string>());
}

} // namespace heddle::driver
