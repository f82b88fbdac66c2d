// SPDX-License-Identifier: Apache-2.0
#include "driver/DependentKernels.h"

#include "driver/RunRefusals.h"
#include "profile/TouchReport.h"
#include "support/Files.h"

#include <array>

namespace heddle::driver {
namespace {

/// What one thread did to the byte, for a message.
std::string accessText(const profile::ThreadAccess& access) {
  static constexpr std::array words = {"reads", "writes", "changes"};
  return fmt::format("thread {} {} in line {}", access.thread, words[std::size_t(access.access)],
                     access.where.line);
}

} // namespace

Expected<DependentKernels> findDependentKernels(const FixSubject& subject) {
  const std::filesystem::path file = subject.folder / "touches.json";
  ProgramTrials& trials = *subject.trials;
  HEDDLE_CHECK(trials.bench().runBuilt(trials.program(), trials.input(0),
                                       {{profile::Setting::Touches, file.string()}}));
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(const std::vector<profile::KernelTouches> touches,
             profile::readTouches(text, "the touched memory"));
  DependentKernels dependent;
  for (const profile::KernelTouches& kernel : touches)
    if (kernel.global)
      dependent.emplace(kernel.id, fmt::format("of {}, {} what {}", kernel.global->region,
                                               accessText(kernel.global->first),
                                               accessText(kernel.global->second)));
  return dependent;
}

FoundOptions withoutDependent(FoundOptions found, const DependentKernels& dependent) {
  std::vector<Option> independent;
  for (Option& option : found.options) {
    const auto kernel = dependent.find(option.candidate.kernelId);
    if (option.needsIndependence && kernel != dependent.end())
      found.refusals.push_back(refused(option, runRefusals["dependent-threads"], kernel->second));
    else
      independent.push_back(std::move(option));
  }
  found.options = std::move(independent);
  return found;
}

} // namespace heddle::driver
