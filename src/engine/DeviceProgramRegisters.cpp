// SPDX-License-Identifier: Apache-2.0
//
// The registers of a kernel: what ptxas says where it may be asked and knows, else the estimate.
#include "engine/DeviceProgram.h"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr int bytesOfRegister = 4;

profile::RegisterUse estimate(const llvm::Function& kernel, const RegisterRules& rules) {
  lowering::RegisterTarget target = rules.target;
  target.free = std::min(target.free, rules.most); // the compiler, too, tries to stay below
  const int demand = lowering::registerDemand(kernel, target);
  return {.registers = std::min(demand, rules.most),
          .spillBytes = bytesOfRegister * std::max(demand - rules.most, 0),
          .source = profile::RegisterSource::Kind::Estimate};
}

} // namespace

Expected<std::string> DeviceProgram::symbolOf(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  HEDDLE_TRY(const llvm::Function* kernel, frontend::findKernel(*source_.module, name));
  return kernel->getName().str();
}

Expected<analysis::LaunchBounds> DeviceProgram::launchBounds(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  HEDDLE_TRY(const llvm::Function* kernel, frontend::findKernel(*source_.module, name));
  return analysis::launchBoundsOf(*kernel);
}

std::optional<profile::RegisterUse> DeviceProgram::askPtxas(const std::string& symbol,
                                                            const RegisterRules& rules) {
  const int device = rules.target.computeCapability;
  if (!ptxas_.contains(device))
    ptxas_[device] = frontend::askPtxas(source_, device, rules.useCache);
  const std::optional<frontend::PtxasReport>& report = ptxas_[device];
  if (!report || !report->kernels.contains(symbol))
    return {};
  const frontend::PtxasKernel& kernel = report->kernels.at(symbol);
  const bool isSame = report->architecture == fmt::format("sm_{}", device);
  return profile::RegisterUse{
      .registers = kernel.registers,
      .spillBytes = kernel.spillStores,
      .source = profile::RegisterSource::ptxasFor(isSame ? "" : report->architecture)};
}

Expected<profile::RegisterUse> DeviceProgram::registerUse(const std::string& name,
                                                          const RegisterRules& rules) {
  const std::scoped_lock lock(mutex_);
  HEDDLE_TRY(const llvm::Function* kernel, frontend::findKernel(*source_.module, name));
  const std::string symbol = kernel->getName().str();
  const auto [known, isNew] =
      registers_.try_emplace({symbol, rules.target.computeCapability, rules.most});
  if (isNew) {
    const auto asked = rules.askPtxas ? askPtxas(symbol, rules) : std::nullopt;
    known->second = asked ? *asked : estimate(*kernel, rules);
  }
  return known->second;
}

} // namespace heddle::engine
