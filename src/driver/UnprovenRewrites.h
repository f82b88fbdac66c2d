// SPDX-License-Identifier: Apache-2.0
//
// heddle fix --unproven: what the rewrites make of a file, without running anything
#pragma once

#include "driver/FixCommand.h"

namespace heddle::driver {

/// With a line, the diff that one rewrite makes there. Without, those of all rewrites at all
/// places, each under a heading, and the refusals. Status 1 when no rewrite is legal.
Expected<Answer> printUnproven(const FixOptions& options);

} // namespace heddle::driver
