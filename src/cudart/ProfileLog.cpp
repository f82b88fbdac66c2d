// SPDX-License-Identifier: Apache-2.0
#include "cudart/ProfileLog.h"

#include "cudart/Remarks.h"
#include "cudart/Runtime.h"
#include "profile/ProfileJson.h"

#include <filesystem>
#include <utility>

namespace heddle::cudart {
namespace {

std::string linePlace(const profile::Site& site) {
  return std::filesystem::path(site.where.file).filename().string() + ":" +
         std::to_string(site.where.line);
}

} // namespace

ProfileLog& ProfileLog::instance() {
  static ProfileLog* const log = new ProfileLog;
  return *log;
}

void ProfileLog::describe(std::string device, std::string reconvergence) {
  const std::lock_guard lock(mutex_);
  profile_.device = std::move(device);
  profile_.reconvergence = std::move(reconvergence);
}

void ProfileLog::add(const profile::KernelProfile& launch) {
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.try_emplace(launch.id, profile_.kernels.size()).first;
  profile_.add(known->second, launch);
  if (launch.warpInstructions > 0 && lanes_.warpInstructions == 0)
    lanes_.switchedOff = launch.switchedOff;
  else if (launch.warpInstructions > 0)
    lanes_.switchedOff = profile::sumIfKnown(lanes_.switchedOff, launch.switchedOff);
  lanes_.warpInstructions += launch.warpInstructions;
  lanes_.used += launch.threadInstructions;
  lanes_.lostToFinished += launch.lostToFinished;
  lanes_.lostToPartial += launch.lostToPartial;
  lanes_.lostToSequences += launch.lostToSequences;
  for (const profile::BranchProfile& branch : launch.branches)
    if (branch.lostSlots > 0)
      lanes_.lostAt[linePlace(branch.site)] += branch.lostSlots;
}

void ProfileLog::addStrays(const std::vector<profile::Stray>& strays) {
  const std::lock_guard lock(mutex_);
  profile::addStrays(profile_.strays, strays);
}

void ProfileLog::noteStrayFault() {
  const std::lock_guard lock(mutex_);
  profile_.faultMayPass = true;
}

void ProfileLog::addTimeline(const std::string& id, double seconds, profile::Timeline timeline) {
  const std::lock_guard lock(mutex_);
  profile_.keepTimeline({{std::move(timeline)}, kernels_.at(id), seconds});
}

engine::WarpRecorder& ProfileLog::recorderOf(const std::string& id,
                                             const engine::CompiledKernel& kernel, int warps) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<engine::WarpRecorder>& recorder = recorders_[id];
  if (!recorder)
    recorder = std::make_unique<engine::WarpRecorder>(kernel, warps);
  return *recorder;
}

LaneSums ProfileLog::takeLanes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lanes_, {});
}

void ProfileLog::noteFault(const std::string& fault) {
  const std::scoped_lock lock(mutex_);
  if (noted_.empty())
    noted_ = fault;
}

std::optional<std::string> ProfileLog::write(profile::Ending ending, const std::string& fault,
                                             std::chrono::milliseconds patience) {
  const std::unique_lock lock(mutex_, patience);
  if (!lock)
    return std::nullopt;
  const bool faulted = ending == profile::Ending::Complete && !noted_.empty();
  profile_.ending = faulted ? profile::Ending::Fault : ending;
  profile_.fault = faulted ? noted_ : fault;
  if (Runtime* const runtime = Runtime::ifStarted();
      runtime != nullptr && !faulted && ending == profile::Ending::Complete)
    profile_.remarks = Remarks::instance().list(runtime->memory);
  for (const auto& [id, recorder] : recorders_)
    if (const auto kernel = kernels_.find(id); kernel != kernels_.end())
      profile_.kernels[kernel->second].recorded = recorder->records(patience);
  return profile::writeProfile(profile_);
}

} // namespace heddle::cudart
