// SPDX-License-Identifier: Apache-2.0
//
// How a command is to answer. Commands return what goes to standard output and write files
// themselves; nothing is printed before a command has succeeded.
#pragma once

#include "support/Terminal.h"

namespace heddle::driver {

struct Output {
  bool json = false;
  TextStyle style{false};
};

} // namespace heddle::driver
