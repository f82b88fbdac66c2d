// SPDX-License-Identifier: Apache-2.0
//
// Where the optimiser merges two branches or moves code to a place that both sides of one reach,
// the result has no place in the source, or line 0. Then, in this order:
//   1. what it works with: the operands, theirs, and so on
//   2. where the loop begins that a branch closes
//   3. its neighbours in the block, those in front first
//   4. the blocks on the way to it
//   5. the call by which it was inlined
//   6. the function
#include "analysis/SourceSite.h"

#include "frontend/DeviceModule.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/Path.h>

#include <filesystem>
#include <vector>

namespace heddle::analysis {
namespace {

/// A file as a person in the current folder would name it. Clang keeps the path in two pieces and
/// cuts it where it likes.
std::string fileName(const llvm::DILocation& where) {
  namespace fs = std::filesystem;
  const fs::path file = where.getFilename().str();
  if (file.is_absolute() || file.empty())
    return file.string();
  const fs::path whole = (fs::path(where.getDirectory().str()) / file).lexically_normal();
  std::error_code ignored;
  const fs::path relative = whole.lexically_relative(fs::current_path(ignored));
  return relative.empty() || *relative.begin() == ".." ? whole.string() : relative.string();
}

profile::SourceLocation locationOf(const llvm::DILocation& where) {
  return {fileName(where), int(where.getLine()), int(where.getColumn())};
}

/// Headers that stand for the toolkit's: a person means the line that uses them.
bool isToolkitHeader(llvm::StringRef file) {
  const llvm::StringRef name = llvm::sys::path::filename(file);
  return name.starts_with("__clang_cuda") || name.starts_with("heddle_") ||
         name == "sm_70_rt.hpp" || file.contains("/cuda_wrappers/") ||
         (file.contains("/targets/") && file.contains("/include/")); // nvcc's own
}

std::string functionOf(const llvm::DILocation& where) {
  const llvm::DISubprogram* subprogram = where.getScope()->getSubprogram();
  if (subprogram == nullptr)
    return "";
  const llvm::StringRef symbol = subprogram->getLinkageName();
  return frontend::plainFunctionName(symbol.empty() ? subprogram->getName().str() : symbol.str());
}

using Place = const llvm::DILocation*;

Place placeOf(const llvm::Instruction& instruction) {
  const Place where = instruction.getDebugLoc();
  return where != nullptr && where->getLine() != 0 ? where : nullptr;
}

template <class Instructions> Place firstIn(const Instructions& instructions) {
  for (const llvm::Instruction& instruction : instructions)
    if (const Place where = placeOf(instruction))
      return where;
  return nullptr;
}

/// Step 1: breadth first. Behind a phi lie values of other places.
Place placeOfOperands(const llvm::Instruction& instruction) {
  std::vector<const llvm::Instruction*> work = {&instruction};
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen = {&instruction};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (const Place where = placeOf(*work[i]))
      return where;
    if (llvm::isa<llvm::PHINode>(work[i]))
      continue;
    for (const llvm::Value* operand : work[i]->operands())
      if (const auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
          made != nullptr && seen.insert(made).second)
        work.push_back(made);
  }
  return nullptr;
}

/// Step 2.
Place placeOfLoop(const llvm::Instruction& instruction) {
  if (const llvm::MDNode* loop = instruction.getMetadata(llvm::LLVMContext::MD_loop))
    for (const llvm::MDOperand& operand : loop->operands())
      if (const auto* where = llvm::dyn_cast_or_null<llvm::DILocation>(operand.get()))
        return where;
  return nullptr;
}

/// Step 3.
Place placeInBlock(const llvm::Instruction& instruction) {
  const llvm::BasicBlock& block = *instruction.getParent();
  const Place before =
      firstIn(llvm::reverse(llvm::make_range(block.begin(), instruction.getIterator())));
  return before != nullptr ? before
                           : firstIn(llvm::make_range(instruction.getIterator(), block.end()));
}

/// Step 4.
Place placeOnTheWay(const llvm::BasicBlock& block) {
  std::vector<const llvm::BasicBlock*> work = {&block};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen = {&block};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (const Place where = firstIn(llvm::reverse(*work[i])))
      return where;
    for (const llvm::BasicBlock* before : llvm::predecessors(work[i]))
      if (seen.insert(before).second)
        work.push_back(before);
  }
  return nullptr;
}

/// Steps 5 and 6.
Place placeAround(const llvm::Instruction& instruction) {
  if (const Place where = instruction.getDebugLoc())
    for (Place call = where->getInlinedAt(); call != nullptr; call = call->getInlinedAt())
      if (call->getLine() != 0)
        return call;
  llvm::DISubprogram* function = instruction.getFunction()->getSubprogram();
  return function == nullptr
             ? nullptr
             : llvm::DILocation::get(instruction.getContext(), function->getLine(), 0, function);
}

/// Nothing only where the function has no line table.
Place nearestPlace(const llvm::Instruction& instruction) {
  if (const Place own = placeOf(instruction))
    return own;
  if (const Place operands = placeOfOperands(instruction))
    return operands;
  if (const Place loop = placeOfLoop(instruction))
    return loop;
  if (const Place block = placeInBlock(instruction))
    return block;
  if (const Place way = placeOnTheWay(*instruction.getParent()))
    return way;
  return placeAround(instruction);
}

} // namespace

profile::Site siteOf(const llvm::Instruction& instruction) {
  profile::Site site;
  Place where = nearestPlace(instruction);
  if (where == nullptr) {
    site.function = frontend::plainFunctionName(instruction.getFunction()->getName().str());
    return site;
  }
  while (where->getInlinedAt() != nullptr && isToolkitHeader(where->getFilename()))
    where = where->getInlinedAt();
  site.where = locationOf(*where);
  site.function = functionOf(*where);
  for (Place call = where->getInlinedAt(); call != nullptr; call = call->getInlinedAt())
    site.inlinedAt.push_back(locationOf(*call));
  return site;
}

bool isInToolkitHeader(const llvm::Instruction& instruction) {
  const llvm::DILocation* where = instruction.getDebugLoc();
  return where != nullptr && isToolkitHeader(where->getFilename());
}

} // namespace heddle::analysis
