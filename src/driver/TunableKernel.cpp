// SPDX-License-Identifier: Apache-2.0
#include "driver/TunableKernel.h"

#include "frontend/DeviceModule.h"
#include "support/SortStably.h"

#include <algorithm>

namespace heddle::driver {
namespace {

using profile::KernelProfile;

constexpr double leastShare = 0.1; ///< of the time, below which a kernel is left alone

double timeOf(const KernelProfile& kernel) {
  return kernel.timing ? kernel.timing->seconds : 0;
}

std::vector<const KernelProfile*> slowestFirst(const profile::ProgramProfile& profile) {
  std::vector<const KernelProfile*> kernels;
  for (const KernelProfile& kernel : profile.kernels)
    kernels.push_back(&kernel);
  sortStably(kernels, [](const auto* each) { return -timeOf(*each); });
  return kernels;
}

Expected<void> checkName(const TuneSubject& subject) {
  std::vector<std::string> names;
  for (const KernelProfile& kernel : subject.profile().kernels)
    names.push_back(frontend::plainKernelName(kernel.symbol()));
  const std::string& asked = subject.options.kernel;
  if (asked.empty() || std::ranges::find(names, asked) != names.end())
    return {};
  return fail(ErrorKind::NotFound,
              "--kernel {}: the program launches no such kernel; it launches: {}", asked,
              fmt::join(names, ", "));
}

/// Nothing: it is in none of our files.
std::optional<TunableKernel> findWritten(const TuneSubject& subject, const KernelProfile& kernel) {
  for (const auto& [file, source] : subject.sources)
    if (const clang::FunctionDecl* found = rewrite::findKernel(*source, kernel.symbol());
        found != nullptr && found->hasBody(found)) {
      TunableKernel written{&kernel,
                            file,
                            found,
                            rewrite::tuning::findTunables(*source, *found),
                            frontend::plainKernelName(kernel.symbol()),
                            std::nullopt};
      if (const auto asked = subject.asked.find(written.name); asked != subject.asked.end())
        written.asked = asked->second;
      return written;
    }
  return std::nullopt;
}

} // namespace

Expected<ChosenKernels> chooseKernels(const TuneSubject& subject) {
  HEDDLE_CHECK(checkName(subject));
  const std::string& asked = subject.options.kernel;
  double total = 0;
  for (const KernelProfile& kernel : subject.profile().kernels)
    total += timeOf(kernel);
  ChosenKernels chosen;
  for (const KernelProfile* kernel : slowestFirst(subject.profile())) {
    const std::string name = frontend::plainKernelName(kernel->symbol());
    if (!asked.empty() && name != asked)
      continue;
    const double share = total > 0 ? timeOf(*kernel) / total : 0;
    auto written = findWritten(subject, *kernel);
    if (!written)
      chosen.left.push_back(fmt::format("{}: its source is in none of the .cu files given", name));
    else if (asked.empty() && share < leastShare)
      chosen.left.push_back(fmt::format("{}: {:.1f} % of the time", name, 100 * share));
    else
      chosen.kernels.push_back(*std::move(written));
  }
  return chosen;
}

} // namespace heddle::driver
