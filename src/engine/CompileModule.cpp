// SPDX-License-Identifier: Apache-2.0
#include "engine/CompileModule.h"

#include "ir/RunPasses.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <set>

namespace heddle::engine {
namespace {

constexpr unsigned instructionsOfAPart = 4096; ///< a third of a second; an estimate
constexpr unsigned mostParts = 32;

void cleanUp(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  each.addPass(llvm::EarlyCSEPass());
  each.addPass(llvm::InstCombinePass());
  each.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  ir::PassRunner(&machine).run(module, all);
}

/// Functions of internal linkage that one calls.
std::set<const llvm::Function*> ownOf(const llvm::Function& function) {
  std::set<const llvm::Function*> own;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const llvm::Function* callee = call->getCalledFunction();
          callee != nullptr && callee->hasLocalLinkage())
        own.insert(callee);
  return own;
}

/// Leaves the other parts' functions as names only.
void keepPart(llvm::Module& module, const ModuleParts& parts, unsigned part) {
  std::vector<llvm::Function*> others;
  for (llvm::Function& function : module)
    if (const auto place = parts.partOf.find(std::string_view(function.getName()));
        place != parts.partOf.end() && place->second != part)
      others.push_back(&function);
  for (llvm::Function* function : others)
    function->deleteBody();
  for (llvm::Function* function : others)
    if (function->use_empty())
      function->eraseFromParent();
}

} // namespace

tl::unexpected<Error> llvmError(llvm::Error error) {
  return tl::unexpected(Error{ErrorKind::Unsupported, "LLVM cannot compile this kernel: " +
                                                          llvm::toString(std::move(error))});
}

ModuleParts divide(const llvm::Module& module) {
  ModuleParts parts;
  const unsigned all = module.getInstructionCount();
  parts.count = std::clamp(all / instructionsOfAPart, 1u, mostParts);
  std::uint64_t before = 0;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage())
      continue;
    const auto part = unsigned(before * parts.count / std::max(1u, all));
    parts.partOf[function.getName().str()] = part;
    before += function.getInstructionCount();
    for (const llvm::Function* own : ownOf(function)) {
      parts.partOf[own->getName().str()] = part;
      before += own->getInstructionCount();
    }
  }
  return parts;
}

Expected<std::string> compilePart(std::string_view bitcode, const ModuleParts& parts, unsigned part,
                                  const Compilation& compilation) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile({bitcode, "kernel"}, context);
  if (!module)
    return llvmError(module.takeError());
  keepPart(**module, parts, part);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(**module, &stream))
    return fail(ErrorKind::Unsupported, "this kernel cannot be compiled for the engine: {}",
                problem);
  llvm::orc::JITTargetMachineBuilder target = compilation.target;
  if (compilation.effort == Effort::Least)
    target.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = target.createTargetMachine();
  if (!machine)
    return llvmError(machine.takeError());
  if (compilation.effort == Effort::Least) { // the fastest of LLVM's ways to select instructions
    (*machine)->setGlobalISel(false);
    (*machine)->setFastISel(true);
  }
  if (compilation.cleansUp)
    cleanUp(**module, **machine);
  auto object = llvm::orc::SimpleCompiler(**machine)(**module);
  if (!object)
    return llvmError(object.takeError());
  return (*object)->getBuffer().str();
}

} // namespace heddle::engine
