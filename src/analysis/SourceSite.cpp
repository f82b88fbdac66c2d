// SPDX-License-Identifier: Apache-2.0
//
// Where the optimiser merges two branches or moves code to a place that both sides of one reach,
// the result has no place in the source, or line 0. Then, in this order:
//   1. what it works with: the operands, theirs, and so on, as far as they are made in its block or
//      in one that nothing but it follows; others may have been moved out of a loop
//   2. where the loop begins that a branch closes
//   3. its neighbours in the block, those in front first, and the one block that leads to it
//   4. operands from everywhere
//   5. the blocks on the way to it
//   6. the call by which it was inlined
//   7. the function
#include "analysis/SourceSite.h"

#include "frontend/DeviceModule.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
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

/// A phi's own is that of one of the values it chooses from, wherever that was made.
Place placeOf(const llvm::Instruction& instruction) {
  const Place where = instruction.getDebugLoc();
  const bool isKnown = where != nullptr && where->getLine() != 0;
  return isKnown && !llvm::isa<llvm::PHINode>(instruction) ? where : nullptr;
}

template <class Instructions> Place firstIn(const Instructions& instructions) {
  for (const llvm::Instruction& instruction : instructions)
    if (const Place where = placeOf(instruction))
      return where;
  return nullptr;
}

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 8>;

/// A block, the only one that leads to it, and so on.
Blocks straightWayTo(const llvm::BasicBlock& block) {
  Blocks way;
  for (const llvm::BasicBlock* at = &block; at != nullptr && way.insert(at).second;)
    at = at->getSinglePredecessor();
  return way;
}

/// Steps 1 and 4: breadth first. Behind a phi lie values of other places.
Place placeOfOperands(const llvm::Instruction& instruction, const Blocks* among) {
  std::vector<const llvm::Instruction*> work = {&instruction};
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen = {&instruction};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (const Place where = placeOf(*work[i]))
      return where;
    if (llvm::isa<llvm::PHINode>(work[i]))
      continue;
    for (const llvm::Value* operand : work[i]->operands())
      if (const auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
          made != nullptr && (among == nullptr || among->contains(made->getParent())) &&
          seen.insert(made).second)
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
Place placeBeside(const llvm::Instruction& instruction) {
  const llvm::BasicBlock& block = *instruction.getParent();
  if (const Place before =
          firstIn(llvm::reverse(llvm::make_range(block.begin(), instruction.getIterator()))))
    return before;
  if (const Place behind = firstIn(llvm::make_range(instruction.getIterator(), block.end())))
    return behind;
  const llvm::BasicBlock* only = block.getSinglePredecessor();
  return only == nullptr ? nullptr : placeOf(*only->getTerminator());
}

/// Step 5.
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

/// Steps 6 and 7.
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
  const Blocks near = straightWayTo(*instruction.getParent());
  if (const Place operands = placeOfOperands(instruction, &near))
    return operands;
  if (const Place loop = placeOfLoop(instruction))
    return loop;
  if (const Place beside = placeBeside(instruction))
    return beside;
  if (const Place operands = placeOfOperands(instruction, nullptr))
    return operands;
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
