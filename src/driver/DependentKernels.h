// SPDX-License-Identifier: Apache-2.0
//
// Rewrites that change the order between threads are for kernels in which no thread touches what
// another one has written. A run shows whether that is so.
#pragma once

#include "driver/FindOptions.h"

#include <map>
#include <string>

namespace heddle::driver {

/// Kernels whose threads are not independent, by id, and what two of them do to the same byte.
using DependentKernels = std::map<std::string, std::string>;

/// Runs the program once more to see them.
Expected<DependentKernels> findDependentKernels(const FixSubject& subject);

/// Refuses there what needs independence.
FoundOptions withoutDependent(FoundOptions found, const DependentKernels& dependent);

} // namespace heddle::driver
