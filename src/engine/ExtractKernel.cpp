// SPDX-License-Identifier: Apache-2.0
//
//   1. find the functions that the kernel needs
//   2. find all that they name, through constants and the values variables begin with
//   3. declare it in the new module: variables in the order of their file, as shared memory is laid
//      out by it
//   4. copy the functions and the variables' values
#include "engine/ExtractKernel.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace heddle::engine {
namespace {

using Functions = llvm::SetVector<llvm::Function*>;

// Step 1

/// Adds the functions that `function` calls; says whether it calls through a pointer.
bool addCallees(llvm::Function& function, Functions& needed) {
  bool indirect = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm())
      continue;
    auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    indirect = indirect || callee == nullptr;
    if (callee != nullptr && !callee->isDeclaration())
      needed.insert(callee);
  }
  return indirect;
}

Functions neededFunctions(llvm::Function& kernel) {
  Functions needed;
  needed.insert(&kernel);
  bool indirect = false;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const bool callsThroughPointer = addCallees(*needed[i], needed);
    if (!callsThroughPointer || indirect)
      continue;
    indirect = true;
    for (llvm::Function& function : *kernel.getParent())
      if (!function.isDeclaration() && function.hasAddressTaken() &&
          function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        needed.insert(&function);
  }
  return needed;
}

// Step 2

class NamedGlobals {
public:
  explicit NamedGlobals(const Functions& functions) {
    for (llvm::Function* function : functions) {
      all_.insert(function);
      for (const llvm::Instruction& instruction : llvm::instructions(*function))
        visitOperands(instruction);
    }
    while (!rest_.empty()) {
      const llvm::Constant* next = rest_.pop_back_val();
      if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(next))
        all_.insert(const_cast<llvm::GlobalValue*>(global));
      if (!llvm::isa<llvm::Function>(next)) // of a variable this is its value
        visitOperands(*next);
    }
  }

  const llvm::SetVector<llvm::GlobalValue*>& all() const { return all_; }

private:
  void visitOperands(const llvm::User& user) {
    for (const llvm::Use& operand : user.operands())
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
          constant != nullptr && seen_.insert(constant).second)
        rest_.push_back(constant);
  }

  llvm::SetVector<llvm::GlobalValue*> all_;
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen_;
  llvm::SmallVector<const llvm::Constant*, 32> rest_;
};

// Step 3

void declareVariable(llvm::GlobalVariable& variable, llvm::Module& to,
                     llvm::ValueToValueMapTy& map) {
  auto* copy = new llvm::GlobalVariable(to, variable.getValueType(), variable.isConstant(),
                                        variable.getLinkage(), nullptr, variable.getName(), nullptr,
                                        variable.getThreadLocalMode(), variable.getAddressSpace());
  copy->copyAttributesFrom(&variable);
  map[&variable] = copy;
}

void declareFunction(llvm::Function& function, bool isNeeded, llvm::Module& to,
                     llvm::ValueToValueMapTy& map) {
  llvm::Function* copy =
      llvm::Function::Create(function.getFunctionType(),
                             isNeeded ? function.getLinkage() : llvm::Function::ExternalLinkage,
                             function.getAddressSpace(), function.getName(), &to);
  copy->copyAttributesFrom(&function);
  if (!isNeeded)
    copy->setPersonalityFn(nullptr);
  map[&function] = copy;
}

// Step 4

/// Keeps what describes a function and its file: else all that the file says of itself is copied.
void shareDebugInfo(const llvm::Function& function, llvm::ValueToValueMapTy& map) {
  const auto share = [&](llvm::DISubprogram* program) {
    if (program == nullptr || !map.MD().try_emplace(program, program).second)
      return;
    if (llvm::DICompileUnit* unit = program->getUnit())
      map.MD().try_emplace(unit, unit);
  };
  share(function.getSubprogram());
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    for (const llvm::DILocation* at = instruction.getDebugLoc(); at; at = at->getInlinedAt())
      share(at->getScope()->getSubprogram());
}

void copyBody(const llvm::Function& from, llvm::Function& to, llvm::ValueToValueMapTy& map) {
  auto argument = to.arg_begin();
  for (const llvm::Argument& each : from.args()) {
    argument->setName(each.getName());
    map[&each] = &*argument++;
  }
  llvm::SmallVector<llvm::ReturnInst*, 8> returns;
  llvm::CloneFunctionInto(&to, &from, map, llvm::CloneFunctionChangeType::ClonedModule, returns);
}

} // namespace

ExtractedKernel extractKernel(llvm::Function& kernel) {
  llvm::Module& source = *kernel.getParent();
  ExtractedKernel result{std::make_unique<llvm::Module>(source.getName(), source.getContext()), {}};
  llvm::Module& module = *result.module;
  module.setSourceFileName(source.getSourceFileName());
  module.setDataLayout(source.getDataLayout());
  module.setTargetTriple(source.getTargetTriple());
  module.IsNewDbgInfoFormat = source.IsNewDbgInfoFormat;
  // Step 1 and 2: what there is to copy
  const Functions functions = neededFunctions(kernel);
  const NamedGlobals named(functions);
  // Step 3: declarations
  llvm::ValueToValueMapTy map;
  for (llvm::GlobalVariable& variable : source.globals())
    if (named.all().contains(&variable))
      declareVariable(variable, module, map);
  for (llvm::GlobalValue* global : named.all())
    if (auto* function = llvm::dyn_cast<llvm::Function>(global))
      declareFunction(*function, functions.contains(function), module, map);
  // Step 4: definitions
  for (llvm::Function* function : functions)
    shareDebugInfo(*function, map);
  for (const llvm::GlobalValue* global : named.all())
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
        variable != nullptr && variable->hasInitializer())
      llvm::cast<llvm::GlobalVariable>(map[variable])
          ->setInitializer(llvm::MapValue(variable->getInitializer(), map));
  for (const llvm::Function* function : functions) {
    result.functions.push_back(llvm::cast<llvm::Function>(map[function]));
    copyBody(*function, *result.functions.back(), map);
  }
  return result;
}

} // namespace heddle::engine
