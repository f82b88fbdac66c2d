// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. prepare the kernel, lay out its frame, compile its blocks to vector IR
//   2. collect what each block is: successors, join, counted instructions, branch place
//   3. clean the IR up and hand it to LLVM's ORC JIT, for the CPU we run on
#include "engine/CompiledKernel.h"

#include "engine/AddressMap.h"
#include "engine/BlockCompiler.h"
#include "engine/PrepareKernel.h"
#include "engine/RunPasses.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace heddle::engine {
namespace {

using profile::SourceLocation;

tl::unexpected<Error> llvmError(llvm::Error error) {
  return tl::unexpected(Error{ErrorKind::Unsupported, "LLVM cannot compile this kernel: " +
                                                          llvm::toString(std::move(error))});
}

SourceLocation placeOf(const llvm::Instruction& instruction) {
  const llvm::DILocation* where = instruction.getDebugLoc();
  if (where == nullptr)
    return {};
  return {where->getFilename().str(), int(where->getLine()), int(where->getColumn())};
}

/// Bookkeeping of the IR that no machine executes does not count.
bool counts(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
      instruction.isLifetimeStartOrEnd())
    return false;
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return branch->isConditional();
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::assume;
}

void cleanUp(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  each.addPass(llvm::EarlyCSEPass());
  each.addPass(llvm::InstCombinePass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  runPasses(module, std::move(all), &machine);
}

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// Branches at one place are one record: their number in the ordered list of places.
std::vector<SourceLocation> branchPlaces(const FrameLayout& layout) {
  std::vector<SourceLocation> places;
  for (const llvm::BasicBlock* block : layout.blocks())
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        branch != nullptr && branch->isConditional())
      places.push_back(placeOf(*branch));
  std::ranges::sort(places);
  const auto [first, last] = std::ranges::unique(places);
  places.erase(first, last);
  return places;
}

std::vector<CompiledBlock> describeBlocks(llvm::Function& kernel, const FrameLayout& layout,
                                          const std::vector<SourceLocation>& branches) {
  const llvm::PostDominatorTree postDominators(kernel);
  std::vector<CompiledBlock> described;
  for (const llvm::BasicBlock* block : layout.blocks()) {
    CompiledBlock result;
    for (const llvm::Instruction& instruction : *block) {
      result.instructions += counts(instruction) ? 1 : 0;
      result.endsInBarrier = result.endsInBarrier || isBarrier(instruction);
    }
    const auto* node = postDominators.getNode(block);
    const auto* join = node == nullptr ? nullptr : node->getIDom();
    if (join != nullptr && join->getBlock() != nullptr)
      result.join = layout.blockNumber(join->getBlock());
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator())) {
      for (unsigned index = 0; index < branch->getNumSuccessors(); ++index)
        result.successors[index] = layout.blockNumber(branch->getSuccessor(index));
      if (branch->isConditional())
        result.branch =
            int(std::ranges::lower_bound(branches, placeOf(*branch)) - branches.begin());
    }
    described.push_back(result);
  }
  return described;
}

/// A JIT for the CPU at hand that knows our helpers; the module is made ready for it.
Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJit(llvm::Module& module) {
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return llvmError(target.takeError());
  auto machine = target->createTargetMachine();
  if (!machine)
    return llvmError(machine.takeError());
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create();
  if (!jit)
    return llvmError(jit.takeError());
  module.setDataLayout((*jit)->getDataLayout());
  module.setTargetTriple((*jit)->getTargetTriple().str());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return fail(ErrorKind::Unsupported, "this kernel cannot be compiled for the engine: {}",
                problem);
  cleanUp(module, **machine);
  llvm::orc::SymbolMap helpers;
  helpers[(*jit)->mangleAndIntern("heddleCheckAccess")] = {
      llvm::orc::ExecutorAddr::fromPtr(&heddleCheckAccess), llvm::JITSymbolFlags::Exported};
  if (auto error = (*jit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(helpers))))
    return llvmError(std::move(error));
  return std::move(*jit);
}

} // namespace

CompiledKernel::CompiledKernel() = default;
CompiledKernel::CompiledKernel(CompiledKernel&&) noexcept = default;
CompiledKernel::~CompiledKernel() = default;

/// What the kernel is, apart from its code.
void CompiledKernel::describe(llvm::Function& function, const FrameLayout& layout,
                              const BlockCompiler& compiler) {
  name_ = frontend::plainKernelName(function.getName().str());
  branches_ = branchPlaces(layout);
  blocks_ = describeBlocks(function, layout, branches_);
  for (const llvm::Instruction* site : compiler.accessSites())
    accessSites_.push_back(placeOf(*site));
  const llvm::DataLayout& types = function.getParent()->getDataLayout();
  for (const llvm::Argument& argument : function.args()) {
    argumentOffsets_.push_back(layout.argumentOffset(&argument));
    argumentSizes_.push_back(unsigned(types.getTypeAllocSize(FrameLayout::argumentType(argument))));
  }
  argumentSize_ = layout.argumentSize();
  frameSize_ = layout.frameSize();
  firstSiteCache_ = layout.firstSiteCache();
  sharedSize_ = layout.sharedSize();
  localSize_ = layout.localSize();
}

/// Machine code of the vector module, and the addresses of its blocks and variables.
Expected<void> CompiledKernel::generate(std::unique_ptr<llvm::Module> vectorModule,
                                        std::unique_ptr<llvm::LLVMContext> context) {
  auto made = makeJit(*vectorModule);
  if (!made)
    return tl::unexpected(made.error());
  jit_ = std::move(*made);
  std::map<std::string, std::size_t> variables;
  for (const llvm::GlobalVariable& variable : vectorModule->globals())
    variables[variable.getName().str()] =
        vectorModule->getDataLayout().getTypeAllocSize(variable.getValueType());
  if (auto error = jit_->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(vectorModule), std::move(context))))
    return llvmError(std::move(error));
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    auto address = jit_->lookup(BlockCompiler::blockSymbol(number));
    if (!address)
      return llvmError(address.takeError());
    blocks_[number].code = address->toPtr<CompiledBlock::Code>();
  }
  for (const auto& [variable, size] : variables) {
    auto address = jit_->lookup(variable);
    if (!address)
      return llvmError(address.takeError());
    variables_.push_back({address->toPtr<std::byte*>(), size});
  }
  return {};
}

Expected<CompiledKernel> CompiledKernel::compile(frontend::DeviceModule source,
                                                 const std::string& name) {
  initializeTarget();
  // Step 1: vector IR
  HEDDLE_TRY(llvm::Function * function, frontend::findKernel(*source.module, name));
  HEDDLE_CHECK(prepareKernel(*function));
  FrameLayout layout(*function);
  BlockCompiler compiler(*function, layout);
  HEDDLE_TRY(std::unique_ptr<llvm::Module> vectorModule, compiler.compile());
  // Step 2: what each block is
  CompiledKernel kernel;
  kernel.describe(*function, layout, compiler);
  source.module.reset();
  // Step 3: machine code
  HEDDLE_CHECK(kernel.generate(std::move(vectorModule), std::move(source.context)));
  return kernel;
}

} // namespace heddle::engine
