// SPDX-License-Identifier: Apache-2.0
//
// How the checks of a kernel note what they find.
#pragma once

#include "analysis/SourceSite.h"
#include "profile/Finding.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::analysis {

using Findings = std::vector<profile::Finding>;

inline void addFinding(Findings& to, const llvm::Instruction& at, std::string id,
                       std::string message,
                       profile::Severity severity = profile::Severity::Warning) {
  to.push_back({.severity = severity,
                .id = std::move(id),
                .where = siteOf(at).where,
                .message = std::move(message),
                .kernel = {},
                .cause = {}});
}

} // namespace heddle::analysis
