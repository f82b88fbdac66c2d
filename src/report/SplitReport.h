// SPDX-License-Identifier: Apache-2.0
//
// The bound of branch splitting and the share of mixed warps, as text and JSON.
#pragma once

#include "model/Splitting.h"
#include "support/Terminal.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct SplitFindings {
  std::vector<model::SplitPath> paths;
  double overhead = 0;
  std::optional<model::SplitBound> bound;
  std::optional<double> elseShare;
  std::optional<double> mixedShare;
};

std::string splitText(const SplitFindings& findings, const TextStyle& style);
std::string splitJson(const SplitFindings& findings);

} // namespace heddle::report
