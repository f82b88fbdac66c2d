// SPDX-License-Identifier: Apache-2.0
#include "engine/Jit.h"

#include "engine/Helpers.h"
#include "engine/HostTarget.h"
#include "frontend/ContentHash.h"
#include "profile/ProgramSettings.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/TargetSelect.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace heddle::engine {
namespace {

/// Instructions of a program's kernels that are worth LLVM's best: it takes some 10 s of a core for
/// them. What else a program of many large kernels has runs little, mostly.
constexpr std::uint64_t mostOptimised = 100'000;

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
  auto lljit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(target).create();
  if (!lljit)
    return llvmError(lljit.takeError());
  auto jit = std::make_unique<Jit>();
  jit->form_ = form;
  jit->target_ = target;
  jit->jit_ = std::move(*lljit);
  const char* wanted = profile::told(profile::Setting::Cache);
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

/// What decides the machine code of a part of a module, of which `name` tells the content.
std::string Jit::keyOf(const std::string& name, unsigned part, Effort effort) const {
  frontend::ContentHash hash;
  hash.add("machine code 3");
  hash.add(name);
  hash.add(target_->getCPU());
  hash.add(target_->getFeatures().getString());
  hash.add(std::to_string(part));
  hash.add(effort == Effort::Most ? "most" : "least");
  return hash.name();
}

/// Machine code of all parts, if the cache has it.
std::optional<std::vector<std::string>> Jit::known(const std::string& name, unsigned parts,
                                                   Effort effort) {
  std::vector<std::string> objects;
  for (unsigned part = 0; cache_ && part < parts; ++part) {
    auto known = cache_->find(keyOf(name, part, effort));
    if (!known)
      return {};
    objects.push_back(std::move(known->content));
  }
  return objects.empty() ? std::nullopt : std::optional(std::move(objects));
}

Expected<std::vector<std::string>> Jit::compile(std::string_view bitcode, const ModuleParts& parts,
                                                Effort effort) {
  std::vector<Expected<std::string>> results(parts.count, std::string());
  tbb::this_task_arena::isolate([&] { // a launch that waits for this one must not begin here
    tbb::parallel_for(0u, parts.count, [&](unsigned part) {
      results[part] =
          compilePart(bitcode, parts, part, {*target_, effort, form_ == CodeForm::Full});
    });
  });
  std::vector<std::string> objects;
  for (Expected<std::string>& result : results) {
    HEDDLE_TRY(std::string object, std::move(result));
    objects.push_back(std::move(object));
  }
  return objects;
}

Expected<void> Jit::add(std::unique_ptr<llvm::Module> module) {
  module->setDataLayout(jit_->getDataLayout());
  module->setTargetTriple(jit_->getTargetTriple().str());
  llvm::SmallVector<char, 0> written;
  llvm::raw_svector_ostream stream(written);
  llvm::WriteBitcodeToFile(*module, stream);
  const std::string_view bitcode(written.data(), written.size());
  const ModuleParts parts = divide(*module);
  const std::string name =
      cache_ ? fmt::format("{} in {}", frontend::contentName(bitcode), parts.count) : "";
  std::optional<std::vector<std::string>> objects = known(name, parts.count, Effort::Most);
  if (!objects)
    objects = known(name, parts.count, Effort::Least);
  if (!objects) {
    const Effort effort =
        form_ == CodeForm::LaneByLane || optimised_ >= mostOptimised ? Effort::Least : Effort::Most;
    optimised_ += module->getInstructionCount();
    HEDDLE_TRY(objects, compile(bitcode, parts, effort));
    for (unsigned part = 0; cache_ && part < parts.count; ++part)
      cache_->store(keyOf(name, part, effort), {(*objects)[part], ""}, {},
                    std::filesystem::file_time_type::clock::now());
  }
  for (const std::string& object : *objects)
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
