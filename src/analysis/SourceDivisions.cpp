// SPDX-License-Identifier: Apache-2.0
#include "analysis/SourceDivisions.h"

#include "analysis/SourceSite.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

namespace heddle::analysis {
namespace {

constexpr const char* divisionMetadata = "heddle.division";

/// 0 where there is none.
char characterAt(const profile::SourceLocation& where, profile::SourceLines& source) {
  const std::string line = source.at(where);
  const auto column = std::size_t(where.column - 1);
  return column < line.size() ? line[column] : '\0';
}

/// What clang makes of a remainder, and of a quotient: the other operand is no constant.
char operatorBehind(const llvm::Instruction& instruction) {
  const unsigned code = instruction.getOpcode();
  if (code != llvm::Instruction::And && code != llvm::Instruction::LShr)
    return '\0';
  for (const llvm::Value* operand : instruction.operands())
    if (llvm::isa<llvm::Constant>(operand))
      return '\0';
  return code == llvm::Instruction::And ? '%' : '/';
}

} // namespace

void markDivisions(llvm::Module& module, profile::SourceLines& source) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const char wanted = operatorBehind(instruction);
      if (wanted == '\0' || !instruction.getDebugLoc() || instruction.getDebugLoc().getLine() == 0)
        continue;
      if (characterAt(siteOf(instruction).where, source) == wanted)
        instruction.setMetadata(divisionMetadata, llvm::MDNode::get(module.getContext(), {}));
    }
}

bool isDivision(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() || instruction.getMetadata(divisionMetadata) != nullptr;
}

} // namespace heddle::analysis
