// SPDX-License-Identifier: Apache-2.0
//
// The processor that kernels are compiled for: this one. LLVM takes its name for all that it can do; a
// hypervisor may hide some of that, and then an instruction of it ends the program.
#pragma once

#include "support/Error.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>

#include <string>
#include <vector>

namespace heddle::engine {

/// What a processor of that architecture might do and the system does not offer, as LLVM's flags:
/// "-sve".
std::vector<std::string> hiddenFeatures(const llvm::Triple& architecture,
                                        const llvm::StringMap<bool>& offered);

Expected<llvm::orc::JITTargetMachineBuilder> hostTarget();

} // namespace heddle::engine
