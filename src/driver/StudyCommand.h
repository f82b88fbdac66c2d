// SPDX-License-Identifier: Apache-2.0
//
// heddle study: published experiments, run again, and what of their claims holds
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

struct StudyOptions {
  std::vector<std::string> names; ///< of studies; "all", or "list" alone
  std::string studies;            ///< folder of the studies; empty: our own
  std::string device;             ///< empty: those of the study
  bool onGpu = false;
  bool quick = false;
  std::optional<int> workers;
  std::string outputFolder; ///< for figures and rows; empty: none
};

/// Status 1 when a check fails, 2 when one of several studies could not be run. A study writes its
/// files when all of it has run.
Expected<Answer> runStudy(const StudyOptions& options, const Output& output);

} // namespace heddle::driver
