// SPDX-License-Identifier: Apache-2.0
//
// Shell completions from the flag table.
#pragma once

#include "Command.h"

#include <string>

namespace heddle::tool {

std::string bashCompletions(const Command& root);
std::string zshCompletions(const Command& root);

} // namespace heddle::tool
