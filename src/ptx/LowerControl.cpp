// SPDX-License-Identifier: Apache-2.0
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

#include <llvm/IR/Instructions.h>

namespace heddle::ptx {

using namespace llvm;

void lowerBra(FunctionLowering& f, const Form& form) {
  BasicBlock* target = f.blockOf(form.operand(0).name);
  if (target == nullptr)
    return f.refuse(form, "there is no such label");
  if (form.instruction().guard.empty()) {
    f.builder().CreateBr(target);
    return;
  }
  BasicBlock* next = f.freshBlock("next");
  f.builder().CreateCondBr(f.guardOf(form.instruction()), target, next);
  f.continueIn(next);
}

/// A jump to one label of a table.
void lowerBrx(FunctionLowering& f, const Form& form) {
  const BranchTargets* targets = f.targetsNamed(form.operand(1).name);
  if (targets == nullptr || targets->labels.empty())
    return f.refuse(form, "there is no such table of labels");
  Value* index = f.read(form.operand(0), {'u', 32});
  std::vector<BasicBlock*> blocks;
  for (const std::string_view label : targets->labels) {
    blocks.push_back(f.blockOf(label));
    if (blocks.back() == nullptr)
      return f.refuse(form, "there is no such label");
  }
  BasicBlock* beyond = f.freshBlock("beyond");
  new UnreachableInst(f.function().getContext(), beyond);
  SwitchInst* choice = f.builder().CreateSwitch(index, beyond, unsigned(blocks.size()));
  for (unsigned i = 0; i < blocks.size(); ++i)
    choice->addCase(f.builder().getInt32(i), blocks[i]);
}

void lowerRet(FunctionLowering& f, const Form&) {
  f.emitReturn();
}

/// Whether the thread has ended before: LLVM writes `trap; exit;`, and an exit behind __assertfail.
static bool comesBehindEnd(const BasicBlock& block) {
  for (const llvm::Instruction& instruction : reverse(block)) {
    const auto* call = dyn_cast<CallInst>(&instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->getIntrinsicID() != Intrinsic::pseudoprobe) // a block's mark
      return callee != nullptr &&
             (callee->getIntrinsicID() == Intrinsic::trap || callee->getName() == "__assertfail");
  }
  return false;
}

/// Of a kernel; a function that it calls has no way to end the thread.
void lowerExit(FunctionLowering& f, const Form& form) {
  if (llvm::Function* end = f.exitFunction())
    f.builder().CreateCall(end);
  else if (!f.source().isKernel && !comesBehindEnd(*f.builder().GetInsertBlock()))
    return f.refuse(form, "in a function that is called");
  f.emitReturn();
}

void lowerTrap(FunctionLowering& f, const Form&) {
  f.builder().CreateIntrinsic(Intrinsic::trap, {}, {});
}

} // namespace heddle::ptx
