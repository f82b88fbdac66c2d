// SPDX-License-Identifier: Apache-2.0
#include "sass/MachineGraph.h"

#include <llvm/IR/IRBuilder.h>

#include <map>

namespace heddle::sass {
namespace {

bool ends(const Instruction& instruction) {
  switch (instruction.kind) {
  case Kind::Branch:
  case Kind::Table:
  case Kind::Exit:
  case Kind::Return:
  case Kind::Wait: // parts of a warp run it one by one
    return true;
  default:
    return false;
  }
}

bool goesOn(const Instruction& instruction) {
  return !ends(instruction) || instruction.conditional || instruction.kind == Kind::Wait;
}

/// Where blocks begin.
std::set<std::uint32_t> leaders(const Routine& routine) {
  std::set<std::uint32_t> found(routine.entries.begin(), routine.entries.end());
  found.insert(0);
  for (std::uint32_t i = 0; i < routine.code.size(); ++i) {
    if (routine.code[i].kind == Kind::Branch && routine.code[i].target)
      found.insert(*routine.code[i].target);
    if (routine.code[i].kind == Kind::Wait)
      found.insert(i);
    if (ends(routine.code[i]))
      found.insert(i + 1);
  }
  found.erase(std::uint32_t(routine.code.size()));
  return found;
}

} // namespace

MachineGraph::MachineGraph(const Routine& routine, std::uint32_t entry,
                           const std::set<std::uint32_t>& cuts)
    : routine_(routine), module_("", context_) {
  findBlocks(entry, cuts);
  makeTwins();
}

void MachineGraph::findBlocks(std::uint32_t entry, const std::set<std::uint32_t>& cuts) {
  std::set<std::uint32_t> begins = leaders(routine_);
  begins.insert(cuts.begin(), cuts.end());
  // Targets of a table are not known: what nothing else leads to is one.
  std::set<std::uint32_t> known(routine_.entries.begin(), routine_.entries.end());
  for (const std::uint32_t begin : begins)
    if (begin > 0 && goesOn(routine_.code[begin - 1]))
      known.insert(begin);
  for (const Instruction& each : routine_.code)
    if (each.kind == Kind::Branch && each.target)
      known.insert(*each.target);
  std::map<std::uint32_t, int> numbers;
  std::vector<std::uint32_t> work;
  const auto visit = [&](std::uint32_t begin) {
    if (begin >= routine_.code.size())
      return -1;
    const auto [at, isNew] = numbers.try_emplace(begin, int(numbers.size()));
    if (isNew)
      work.push_back(begin);
    return at->second;
  };
  visit(entry);
  for (std::size_t i = 0; i < work.size(); ++i) {
    MachineBlock block{work[i], work[i] + 1, {}};
    while (block.end < routine_.code.size() && !begins.contains(block.end))
      ++block.end;
    const Instruction& last = routine_.code[block.end - 1];
    if (last.kind == Kind::Branch && last.target)
      block.after.push_back(visit(*last.target));
    if (last.kind == Kind::Table)
      for (const std::uint32_t begin : begins)
        if (!known.contains(begin) && routine_.code[begin].kind != Kind::Nothing)
          block.after.push_back(visit(begin));
    if (goesOn(last))
      if (const int next = visit(block.end); next >= 0)
        block.after.push_back(next);
    blocks_.push_back(std::move(block));
  }
}

void MachineGraph::makeTwins() {
  llvm::IRBuilder<> builder(context_);
  llvm::Function* twin = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false),
      llvm::Function::ExternalLinkage, "twin", module_);
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    twins_.push_back(llvm::BasicBlock::Create(context_, "", twin));
  // The entry of a function has no way to it.
  llvm::BasicBlock* first = llvm::BasicBlock::Create(context_, "", twin, twins_.front());
  builder.SetInsertPoint(first);
  builder.CreateBr(twins_.front());
  llvm::BasicBlock* done = llvm::BasicBlock::Create(context_, "", twin);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Instruction& last = routine_.code[blocks_[i].end - 1];
    std::vector<llvm::BasicBlock*> after;
    for (const int block : blocks_[i].after)
      after.push_back(twins_[std::size_t(block)]);
    if (after.empty() || last.kind == Kind::Exit || last.kind == Kind::Return)
      after.push_back(done);
    builder.SetInsertPoint(twins_[i]);
    llvm::SwitchInst* choice = builder.CreateSwitch(twin->getArg(0), after.back());
    for (std::size_t k = 0; k + 1 < after.size(); ++k)
      choice->addCase(builder.getInt32(std::uint32_t(k)), after[k]);
  }
  dominators_.recalculate(*twin);
  postDominators_.recalculate(*twin);
  cycles_.compute(*twin);
}

bool MachineGraph::runTogether(int a, int b) const {
  const llvm::BasicBlock *x = twins_[std::size_t(a)], *y = twins_[std::size_t(b)];
  if (cycles_.getCycle(x) != cycles_.getCycle(y))
    return false;
  return (dominators_.dominates(x, y) && postDominators_.dominates(y, x)) ||
         (dominators_.dominates(y, x) && postDominators_.dominates(x, y));
}

} // namespace heddle::sass
