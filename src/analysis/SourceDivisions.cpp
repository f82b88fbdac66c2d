// SPDX-License-Identifier: Apache-2.0
#include "analysis/SourceDivisions.h"

#include "analysis/SourceSite.h"
#include "support/Files.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::analysis {
namespace {

constexpr const char* divisionMetadata = "heddle.division";

/// Characters of source files, each file read once.
class SourceCharacters {
public:
  /// 0 where there is none.
  char at(const profile::SourceLocation& where) {
    const auto [found, isNew] = files_.try_emplace(where.file);
    if (isNew)
      if (const auto text = readFile(where.file))
        found->second = linesOf(*text);
    const auto line = std::size_t(where.line - 1), column = std::size_t(where.column - 1);
    const bool exists = line < found->second.size() && column < found->second[line].size();
    return exists ? found->second[line][column] : '\0';
  }

private:
  static std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line);
    return lines;
  }

  std::map<std::string, std::vector<std::string>> files_;
};

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

void markDivisions(llvm::Module& module) {
  SourceCharacters source;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const char wanted = operatorBehind(instruction);
      if (wanted == '\0' || !instruction.getDebugLoc())
        continue;
      if (source.at(siteOf(instruction).where) == wanted)
        instruction.setMetadata(divisionMetadata, llvm::MDNode::get(module.getContext(), {}));
    }
}

bool isDivision(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() || instruction.getMetadata(divisionMetadata) != nullptr;
}

} // namespace heddle::analysis
