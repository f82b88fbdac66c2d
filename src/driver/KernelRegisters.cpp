// SPDX-License-Identifier: Apache-2.0
#include "driver/KernelRegisters.h"

#include "frontend/DeviceModule.h"
#include "profile/ProgramSettings.h"
#include "support/NearestName.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heddle::driver {

Expected<void> validateRegisters(const profile::GivenRegisters& given,
                                 const std::vector<std::string>& kernels,
                                 const machine::Device& device) {
  std::vector<std::string> plain;
  for (const std::string& symbol : kernels)
    plain.push_back(frontend::plainKernelName(symbol));
  for (const auto& [kernel, registers] : given) {
    if (std::ranges::none_of(
            kernels, [&](const std::string& symbol) { return frontend::isNameOf(kernel, symbol); }))
      return fail(ErrorKind::NotFound, "--registers {}={}: no kernel '{}'{} (there are: {})",
                  kernel, registers, kernel, didYouMean(kernel, plain),
                  plain.empty() ? "none" : fmt::format("{}", fmt::join(plain, ", ")));
    const machine::SmLimits& limits = device.limits;
    if (registers > limits.registersPerThread)
      return fail(ErrorKind::BadInput,
                  "--registers {}={}: compute capability {} allows 1 to {} for each thread", kernel,
                  registers, limits.computeCapability.text(), limits.registersPerThread);
  }
  return {};
}

bool mayAskPtxas() {
  const char* value = profile::told(profile::Setting::Ptxas);
  return value == nullptr || std::string_view(value) != "0";
}

} // namespace heddle::driver
