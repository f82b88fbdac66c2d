// SPDX-License-Identifier: Apache-2.0
//
// Host code of one file that names a device variable of another. Clang gives each such variable a
// symbol of the host that only its own file sees; with -rdc=true nvcc's is seen by all.
#pragma once

#include "support/Error.h"

#include <set>
#include <string>

namespace heddle::frontend {

/// The object, with those of its symbols that have these names visible to other objects.
Expected<std::string> withSharedVariables(std::string object, const std::set<std::string>& names);

} // namespace heddle::frontend
