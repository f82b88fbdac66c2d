// SPDX-License-Identifier: Apache-2.0
#include "engine/LowerReductions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <functional>

namespace heddle::engine {
namespace {

using Step = std::function<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*)>;

/// Two values become one by an instruction or by an intrinsic of two operands; nothing for what is
/// no reduction.
Step stepOf(const llvm::IntrinsicInst& call) {
  using llvm::Instruction;
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  const auto by = [](Instruction::BinaryOps opcode) -> Step {
    return [opcode](auto& builder, auto* a, auto* b) { return builder.CreateBinOp(opcode, a, b); };
  };
  switch (id) {
  case llvm::Intrinsic::vector_reduce_add:
    return by(Instruction::Add);
  case llvm::Intrinsic::vector_reduce_mul:
    return by(Instruction::Mul);
  case llvm::Intrinsic::vector_reduce_and:
    return by(Instruction::And);
  case llvm::Intrinsic::vector_reduce_or:
    return by(Instruction::Or);
  case llvm::Intrinsic::vector_reduce_xor:
    return by(Instruction::Xor);
  case llvm::Intrinsic::vector_reduce_fadd:
    return by(Instruction::FAdd);
  case llvm::Intrinsic::vector_reduce_fmul:
    return by(Instruction::FMul);
  case llvm::Intrinsic::vector_reduce_smin:
  case llvm::Intrinsic::vector_reduce_smax:
  case llvm::Intrinsic::vector_reduce_umin:
  case llvm::Intrinsic::vector_reduce_umax:
  case llvm::Intrinsic::vector_reduce_fmin:
  case llvm::Intrinsic::vector_reduce_fmax:
  case llvm::Intrinsic::vector_reduce_fminimum:
  case llvm::Intrinsic::vector_reduce_fmaximum:
    return [twice = llvm::getMinMaxReductionIntrinsicOp(id)](auto& builder, auto* a, auto* b) {
      return builder.CreateBinaryIntrinsic(twice, a, b);
    };
  default:
    return nullptr;
  }
}

/// A sum or product of floats has a value to begin with.
llvm::Value* lowered(llvm::IntrinsicInst& call, const Step& step) {
  llvm::IRBuilder<> builder(&call);
  if (llvm::isa<llvm::FPMathOperator>(call))
    builder.setFastMathFlags(call.getFastMathFlags());
  llvm::Value* vector = call.getArgOperand(call.arg_size() - 1);
  llvm::Value* result = call.arg_size() > 1 ? call.getArgOperand(0) : nullptr;
  const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Value* element = builder.CreateExtractElement(vector, i);
    result = result == nullptr ? element : step(builder, result, element);
  }
  return result;
}

} // namespace

llvm::PreservedAnalyses LowerReductions::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  bool isChanged = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const Step step = call == nullptr ? nullptr : stepOf(*call);
    if (!step)
      continue;
    call->replaceAllUsesWith(lowered(*call, step));
    call->eraseFromParent();
    isChanged = true;
  }
  if (!isChanged)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace heddle::engine
