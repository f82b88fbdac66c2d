// SPDX-License-Identifier: Apache-2.0
#include "driver/TunedSource.h"

#include "driver/SourceTexts.h"

namespace heddle::driver {

std::string tunedText(const rewrite::Source& source, const rewrite::tuning::KernelTunables& kernel,
                      const tune::Configuration& configuration, const profile::Extent& block) {
  const rewrite::Edits edits =
      rewrite::tuning::tunedEdits(kernel, configuration.values, configuration.boundsText(block));
  return withLineEndsOf(source.text(), edits.apply(source.text()));
}

std::vector<std::string> macroFlags(const tune::Configuration& configuration) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : configuration.macros)
    flags.push_back(fmt::format("-D{}={}", name, value));
  return flags;
}

} // namespace heddle::driver
