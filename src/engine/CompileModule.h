// SPDX-License-Identifier: Apache-2.0
//
// IR to object code for the CPU at hand. A large module is compiled in parts, side by side: LLVM
// takes a tenth of a second for a thousand of our instructions, and kernels of CUB have eighty
// thousand.
#pragma once

#include "support/Error.h"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine {

tl::unexpected<Error> llvmError(llvm::Error error);

enum class Effort {
  Most,  ///< for code that is to run for long
  Least, ///< compiles twice as fast, and runs up to twice as long
};

/// The part of each function that the module defines, by name. A function stands with those of
/// internal linkage that it calls. The number of parts depends on the size alone, so that a cache
/// knows them on any machine.
struct ModuleParts {
  std::map<std::string, unsigned, std::less<>> partOf;
  unsigned count = 1;
};
ModuleParts divide(const llvm::Module& module);

struct Compilation {
  const llvm::orc::JITTargetMachineBuilder& target;
  Effort effort = Effort::Most;
  bool cleansUp = true; ///< as IR, before instructions are selected
};

/// Object code of one part of a module that is given as bitcode. Any thread may ask.
Expected<std::string> compilePart(std::string_view bitcode, const ModuleParts& parts, unsigned part,
                                  const Compilation& compilation);

} // namespace heddle::engine
