// SPDX-License-Identifier: Apache-2.0
//
// Lines of the user's source files, each file read once.
#pragma once

#include "profile/KernelProfile.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::profile {

class SourceLines {
public:
  /// The line at a place, as it is in the file; empty where it cannot be read.
  std::string at(const SourceLocation& where);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace heddle::profile
