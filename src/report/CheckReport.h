// SPDX-License-Identifier: Apache-2.0
//
// What heddle check found, in the form in which compilers warn, and as JSON.
#pragma once

#include "profile/Finding.h"
#include "report/SourceText.h"
#include "support/Terminal.h"

#include <string>
#include <vector>

namespace heddle::report {

/// Each with its line of source and a mark below the column. Empty where there are none.
std::string checkText(const std::vector<profile::Finding>& findings, SourceText& source,
                      const TextStyle& style);

/// What was looked for, in a sentence: silence says nothing of what was not.
std::string checkedText(std::size_t findings, bool data);

std::string checkJson(const std::vector<std::string>& files,
                      const std::vector<profile::Finding>& findings);

} // namespace heddle::report
