// SPDX-License-Identifier: Apache-2.0
//
// LLVM's ORC JIT for the CPU at hand, with the helpers that compiled code calls. Machine code is
// kept in the cache, unless HEDDLE_CACHE is 0.
#pragma once

#include "engine/CodeForm.h"
#include "engine/CompileModule.h"
#include "frontend/CompileCache.h"
#include "support/Error.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine {

class Jit {
public:
  static Expected<std::unique_ptr<Jit>> make(CodeForm form = CodeForm::Full);

  /// Compiles IR for this CPU, or takes the machine code from the cache where it was compiled
  /// before. The IR names everything outside it by symbol, so it alone decides what comes out.
  Expected<void> add(std::unique_ptr<llvm::Module> module);

  /// Gives a symbol a fixed address; again does nothing.
  Expected<void> define(const std::string& symbol, const void* address);

  Expected<void*> lookup(const std::string& symbol);

private:
  std::string keyOf(const std::string& name, unsigned part, Effort effort) const;
  std::optional<std::vector<std::string>> known(const std::string& name, unsigned parts,
                                                Effort effort);
  Expected<std::vector<std::string>> compile(std::string_view bitcode, const ModuleParts& parts,
                                             Effort effort);

  CodeForm form_ = CodeForm::Full;
  std::set<std::string> defined_;
  std::optional<frontend::CompileCache> cache_;
  std::optional<llvm::orc::JITTargetMachineBuilder> target_;
  std::uint64_t optimised_ = 0; ///< instructions, so far
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

} // namespace heddle::engine
