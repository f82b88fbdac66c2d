// SPDX-License-Identifier: Apache-2.0
//
// Lines of the source for instructions, from .loc; where a function has none, the lines of the PTX.
#pragma once

#include "ptx/Syntax.h"

#include <llvm/IR/DIBuilder.h>

namespace heddle::ptx {

class DebugLocations {
public:
  /// `origin`: the PTX file.
  DebugLocations(const File& file, llvm::Module& module, const std::string& origin);

  /// Must be called before the places of a function are asked for.
  void begin(const Function& source, llvm::Function& function);
  llvm::DILocation* at(const Location& location);
  llvm::DILocation* atPtxLine(unsigned line);
  void finish() { builder_.finalize(); }

private:
  llvm::DIFile* fileOf(unsigned number);
  llvm::DIScope* scopeIn(unsigned file);
  llvm::DISubprogram* inlined(std::string_view label, unsigned file, unsigned line);
  llvm::DISubprogram* describe(const std::string& symbol, llvm::DIFile* file, unsigned line);

  const File& file_;
  llvm::LLVMContext& context_;
  llvm::DIBuilder builder_;
  llvm::DIFile* origin_;
  std::map<unsigned, llvm::DIFile*> files_;
  std::map<std::pair<std::string_view, unsigned>, llvm::DISubprogram*> inlined_;

  using Place = std::array<unsigned, 3>;
  llvm::DISubprogram* current_ = nullptr;
  unsigned currentFile_ = 0;
  std::map<Place, llvm::DILocation*> seen_; ///< in the current function
};

} // namespace heddle::ptx
