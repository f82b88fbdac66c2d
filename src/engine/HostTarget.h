// SPDX-License-Identifier: Apache-2.0
//
// The processor that kernels are compiled for: this one, as the system lets us use it.
#pragma once

#include "support/Error.h"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>

namespace heddle::engine {

/// LLVM takes a processor's name for all that it can do. A virtual machine may switch parts of it
/// off, as the SVE of a Neoverse V1; what the system does not report is left out here.
Expected<llvm::orc::JITTargetMachineBuilder> hostTarget();

} // namespace heddle::engine
