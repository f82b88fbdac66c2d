// SPDX-License-Identifier: Apache-2.0
//
// Two profiles side by side, as text, as Markdown for a pull request and as JSON.
#pragma once

#include "profile/DiffCondition.h"
#include "profile/ProfileDiff.h"
#include "support/Terminal.h"

#include <string>
#include <vector>

namespace heddle::exporting {

struct DiffView {
  std::string nameBefore, nameAfter; ///< of the files
  const profile::ProgramProfile* before = nullptr;
  const profile::ProgramProfile* after = nullptr;
  std::vector<profile::KernelPair> pairs{};
  std::vector<profile::HeldCondition> held{};
  std::size_t conditions = 0; ///< that were asked for
  std::size_t lines = 10;     ///< of source, for each kernel
};

std::string diffText(const DiffView& view, const TextStyle& style);
std::string diffMarkdown(const DiffView& view);
/// docs/schema/diff.schema.json
std::string diffJson(const DiffView& view);

} // namespace heddle::exporting
