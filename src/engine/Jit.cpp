// SPDX-License-Identifier: Apache-2.0
#include "engine/Jit.h"

#include "engine/Helpers.h"
#include "engine/HostTarget.h"
#include "frontend/ContentHash.h"
#include "ir/RunPasses.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace heddle::engine {
namespace {

tl::unexpected<Error> llvmError(llvm::Error error) {
  return tl::unexpected(Error{ErrorKind::Unsupported, "LLVM cannot compile this kernel: " +
                                                          llvm::toString(std::move(error))});
}

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

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

} // namespace

Expected<std::unique_ptr<Jit>> Jit::make(CodeForm form) {
  initializeTarget();
  HEDDLE_TRY(auto target, hostTarget());
  // JITLink keeps what it links together, so that constants are near: a large code model takes five
  // instructions to load one.
  target.setRelocationModel(llvm::Reloc::PIC_);
  target.setCodeModel(llvm::CodeModel::Small);
  if (form == CodeForm::LaneByLane)
    target.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = target.createTargetMachine();
  if (!machine)
    return llvmError(machine.takeError());
  auto lljit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(target).create();
  if (!lljit)
    return llvmError(lljit.takeError());
  auto jit = std::make_unique<Jit>();
  jit->form_ = form;
  jit->machine_ = std::move(*machine);
  if (form == CodeForm::LaneByLane) { // the fastest of LLVM's ways to select instructions
    jit->machine_->setGlobalISel(false);
    jit->machine_->setFastISel(true);
  }
  jit->jit_ = std::move(*lljit);
  const char* wanted = std::getenv("HEDDLE_CACHE");
  const auto folder = frontend::CompileCache::defaultFolder();
  if (folder && form == CodeForm::Full && (wanted == nullptr || std::string_view(wanted) != "0"))
    jit->cache_.emplace(*folder);
  for (const auto& [name, address] : helpers())
    HEDDLE_CHECK(jit->define(name, address));
  return jit;
}

Expected<void> Jit::define(const std::string& symbol, const void* address) {
  if (!defined_.insert(symbol).second)
    return {};
  llvm::orc::SymbolMap map;
  map[jit_->mangleAndIntern(symbol)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                        llvm::JITSymbolFlags::Exported};
  if (auto error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(map))))
    return llvmError(std::move(error));
  return {};
}

/// Object code of a module.
Expected<std::string> Jit::compile(llvm::Module& module) const {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream))
    return fail(ErrorKind::Unsupported, "this kernel cannot be compiled for the engine: {}",
                problem);
  if (form_ == CodeForm::Full)
    cleanUp(module, *machine_);
  auto object = llvm::orc::SimpleCompiler(*machine_)(module);
  if (!object)
    return llvmError(object.takeError());
  return (*object)->getBuffer().str();
}

/// What decides the machine code of a module.
std::string Jit::keyOf(const llvm::Module& module) const {
  frontend::ContentHash hash;
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  hash.add("machine code 2");
  hash.add(std::string_view(bitcode.data(), bitcode.size()));
  hash.add(machine_->getTargetCPU().str());
  hash.add(machine_->getTargetFeatureString().str());
  return hash.name();
}

Expected<void> Jit::add(std::unique_ptr<llvm::Module> module) {
  module->setDataLayout(jit_->getDataLayout());
  module->setTargetTriple(jit_->getTargetTriple().str());
  const std::string key = cache_ ? keyOf(*module) : "";
  std::string object;
  if (auto known = cache_ ? cache_->find(key) : std::nullopt) {
    object = std::move(known->content);
  } else {
    HEDDLE_TRY(object, compile(*module));
    if (cache_)
      cache_->store(key, {object, ""}, {}, std::filesystem::file_time_type::clock::now());
  }
  if (auto error =
          jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, module->getName())))
    return llvmError(std::move(error));
  return {};
}

Expected<void*> Jit::lookup(const std::string& symbol) {
  auto address = jit_->lookup(symbol);
  if (!address)
    return llvmError(address.takeError());
  return address->toPtr<void*>();
}

} // namespace heddle::engine
