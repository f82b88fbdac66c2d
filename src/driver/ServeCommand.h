// SPDX-License-Identifier: Apache-2.0
//
// heddle serve: edit a kernel in the browser, and see where its lanes go
#pragma once

#include "driver/LiveRun.h"
#include "driver/Output.h"
#include "support/Error.h"

namespace heddle::driver {

struct ServeOptions {
  LiveSettings live;
  int port = 7432; ///< the next ones where it is taken; 0: any
  bool open = false;
};

/// Answers until a signal ends it.
Expected<Answer> runServe(const ServeOptions& options);

} // namespace heddle::driver
