// SPDX-License-Identifier: Apache-2.0
//
// What a look at the code, without a run, has to say of a place in it.
#pragma once

#include "profile/KernelProfile.h"

#include <string>

namespace heddle::profile {

enum class Severity {
  Warning,
  Note, ///< allowed on the GPUs of today, but worth to know
};

struct Finding {
  Severity severity = Severity::Warning;
  std::string id; ///< "heddle-divergent-branch"
  SourceLocation where;
  std::string message;
  std::string kernel;     ///< the first one, by name, in which it was found
  SourceLocation cause{}; ///< the condition that a barrier depends on
};

} // namespace heddle::profile
