// SPDX-License-Identifier: Apache-2.0
//
// What heddle fix found: the diff, before and after, the proof, and why the rest was refused.
#pragma once

#include "advise/Verdict.h"
#include "support/Terminal.h"

#include <string>

namespace heddle::report {

/// Added and removed lines in their colours.
std::string coloredDiff(const std::string& diff, const TextStyle& style);

std::string fixText(const advise::Fix& fix, const TextStyle& style);

/// docs/schema/fix.schema.json
std::string fixJson(const advise::Fix& fix);

} // namespace heddle::report
