// SPDX-License-Identifier: Apache-2.0
//
// A kernel is compiled from a copy of itself and what it needs:
//   1. prepare the copy, lay out the frames of its functions
//   2. compile their blocks to vector IR, and that to machine code
//   3. describe the blocks, and put in the addresses of their code
#include "engine/DeviceProgram.h"

#include "analysis/BlockOrder.h"
#include "engine/BlockCompiler.h"
#include "engine/DescribeKernel.h"
#include "engine/DeviceLaunchNames.h"
#include "engine/ExtractKernel.h"
#include "engine/Jit.h"
#include "engine/PrepareKernel.h"
#include "engine/PrivateSums.h"
#include "engine/WalkCompiler.h"
#include "ir/Kernels.h"
#include "lowering/SourceDivisions.h"
#include "ptx/FuseProducts.h"
#include "ptx/NanSigns.h"
#include "ptx/PtxasFolds.h"

namespace heddle::engine {
namespace {

/// Between a variable and the next, so that what is written past the end of one is in none.
constexpr unsigned bytesBetween = 256;

/// Constants of the program's module in the JIT's: one address space, functions as their handles.
class ConstantMover {
public:
  explicit ConstantMover(llvm::Module& to) : to_(to) {}

  llvm::Type* type(llvm::Type* from) const {
    return from->isPointerTy() ? llvm::PointerType::get(from->getContext(), 0) : from;
  }

  llvm::Constant* move(llvm::Constant* value) {
    llvm::Type* byte = llvm::Type::getInt8Ty(to_.getContext());
    if (auto* function = llvm::dyn_cast<llvm::Function>(value))
      return to_.getOrInsertGlobal(functionHandleSymbol(function->getName()), byte);
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
      return to_.getOrInsertGlobal(variable->getName(), byte);
    if (value->getType()->isPointerTy() && llvm::isa<llvm::ConstantPointerNull>(value))
      return llvm::Constant::getNullValue(type(value->getType()));
    if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value))
      return moveExpression(*expression);
    if (value->getNumOperands() == 0)
      return value;
    llvm::SmallVector<llvm::Constant*, 16> elements;
    for (llvm::Use& element : value->operands())
      elements.push_back(move(llvm::cast<llvm::Constant>(element.get())));
    if (auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(value))
      return llvm::ConstantStruct::get(structure->getType(), elements);
    if (auto* array = llvm::dyn_cast<llvm::ConstantArray>(value))
      return llvm::ConstantArray::get(array->getType(), elements);
    return value;
  }

private:
  llvm::Constant* moveExpression(llvm::ConstantExpr& expression) {
    if (expression.getOpcode() == llvm::Instruction::AddrSpaceCast)
      return move(expression.getOperand(0));
    llvm::SmallVector<llvm::Constant*, 4> operands;
    for (llvm::Use& operand : expression.operands())
      operands.push_back(move(llvm::cast<llvm::Constant>(operand.get())));
    llvm::Type* source = nullptr;
    if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(&expression))
      source = address->getSourceElementType();
    return expression.getWithOperands(operands, type(expression.getType()), false, source);
  }

  llvm::Module& to_;
};

bool isVariable(const llvm::GlobalVariable& variable) {
  return variable.getAddressSpace() != sharedAddressSpace &&
         !variable.getName().starts_with("llvm.");
}

/// The program's variables with their initial values, as a module of their own. Each is the first
/// part of a struct, the second is the gap behind it.
std::unique_ptr<llvm::Module> variableModule(llvm::Module& source, const PlacedVariables& placed) {
  auto module = std::make_unique<llvm::Module>("heddle.variables", source.getContext());
  ConstantMover mover(*module);
  llvm::Type* byte = llvm::Type::getInt8Ty(source.getContext());
  auto* gap = llvm::ConstantAggregateZero::get(llvm::ArrayType::get(byte, bytesBetween));
  for (const llvm::GlobalVariable& variable : source.globals()) {
    if (!isVariable(variable) || placed.contains(variable.getName().str()))
      continue;
    llvm::Constant* value = variable.hasInitializer()
                                ? mover.move(const_cast<llvm::Constant*>(variable.getInitializer()))
                                : llvm::Constant::getNullValue(variable.getValueType());
    if (llvm::isa<llvm::UndefValue>(value))
      value = llvm::Constant::getNullValue(variable.getValueType());
    llvm::Constant* initial = llvm::ConstantStruct::getAnon({value, gap});
    auto* made = new llvm::GlobalVariable(*module, initial->getType(), false,
                                          llvm::GlobalValue::ExternalLinkage, initial);
    made->setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(16)));
    const std::string name = variable.getName().str();
    if (llvm::GlobalVariable* mentioned = module->getNamedGlobal(name)) {
      mentioned->replaceAllUsesWith(made);
      mentioned->eraseFromParent();
    }
    made->setName(name);
  }
  return module;
}

/// A plain barrier and nothing else: no code need run for it.
bool isOnlyBarrier(const llvm::BasicBlock& block) {
  const llvm::Instruction& first = *block.getFirstNonPHIOrDbg();
  const auto* barrier = llvm::dyn_cast<llvm::CallInst>(&first);
  return endOf(block) == BlockEnd::Barrier && &endingInstruction(block) == &first &&
         barrier->getMetadata(plainMetadata) != nullptr &&
         block.getSingleSuccessor()->phis().empty();
}

/// Notes whether blocks can tell in which order they run.
void describeOrder(const analysis::BlockOrder& order, const ArgumentLayout& arguments,
                   CompiledKernel& kernel) {
  const auto placeOf = [&](const analysis::ArgumentPlace& place) {
    return arguments.offsets[place.argument] + unsigned(place.offset);
  };
  kernel.needsTurns = order.needsTurns;
  for (const auto& [one, other] : order.needsTurnsIfTogether)
    kernel.needsTurnsIfTogether.emplace_back(placeOf(one), placeOf(other));
  kernel.endsInOrder = order.endsInOrder;
  kernel.showsOrder = order.showsOrder;
}

} // namespace

DeviceProgram::DeviceProgram() = default;
DeviceProgram::~DeviceProgram() = default;

Expected<std::unique_ptr<DeviceProgram>> DeviceProgram::load(frontend::DeviceModule module,
                                                             bool account, CodeForm form,
                                                             const PlacedVariables& placed) {
  std::unique_ptr<DeviceProgram> program(new DeviceProgram);
  ptx::fuseProducts(*module.module); // where machine code has not said how
  ptx::correctNanSigns(*module.module);
  if (!module.ptx.empty())
    ptx::foldLikePtxas(*module.module);
  program->source_ = std::move(module);
  program->account_ = account;
  program->form_ = form;
  HEDDLE_TRY(program->jit_, Jit::make(form));
  HEDDLE_CHECK(program->placeVariables(placed));
  return program;
}

Expected<void> DeviceProgram::placeVariables(const PlacedVariables& placed) {
  llvm::Module& source = *source_.module;
  for (const llvm::Function& function : source) {
    if (function.isIntrinsic())
      continue;
    auto& handle = handles_[function.getName().str()];
    handle = std::make_unique<std::byte>();
    HEDDLE_CHECK(jit_->define(functionHandleSymbol(function.getName()), handle.get()));
  }
  for (const auto& [name, address] : placed)
    HEDDLE_CHECK(jit_->define(name, address));
  HEDDLE_CHECK(jit_->add(variableModule(source, placed)));
  for (const llvm::GlobalVariable& variable : source.globals()) {
    if (!isVariable(variable))
      continue;
    HEDDLE_TRY(void* address, jit_->lookup(variable.getName().str()));
    variables_.push_back({variable.getName().str(), static_cast<std::byte*>(address),
                          source.getDataLayout().getTypeAllocSize(variable.getValueType()),
                          variable.isConstant() && !variable.isExternallyInitialized()});
  }
  return {};
}

Expected<std::unique_ptr<CompiledKernel>> DeviceProgram::compile(const std::string& symbol) {
  // Step 1: a prepared copy
  const ExtractedKernel extracted = extractKernel(*source_.module->getFunction(symbol));
  const std::vector<llvm::Function*>& functions = extracted.functions;
  if (source_.ptx.empty()) // nvcc's own divisions are there
    lowering::markDivisions(*extracted.module);
  prepareKernel(functions, form_);
  std::vector<std::unique_ptr<FrameLayout>> layouts;
  for (llvm::Function* function : functions)
    layouts.push_back(std::make_unique<FrameLayout>(*function, function == functions.front()));
  const ArgumentLayout arguments(*functions.front());
  const SharedLayout shared(*extracted.module);
  const analysis::BlockOrder order = analysis::findBlockOrder(functions);
  // Step 2: machine code
  KernelSites sites;
  auto vectors = std::make_unique<llvm::Module>("heddle." + symbol, extracted.module->getContext());
  KernelCompilation compilation{
      *vectors, arguments, shared, sites, {}, symbol, account_, maySumPrivately(functions), form_};
  for (std::size_t i = 0; i < functions.size(); ++i)
    HEDDLE_CHECK(BlockCompiler(*functions[i], *layouts[i], compilation).compile(i));
  // Step 3: what each block is, and the way from one to the next
  auto kernel = std::make_unique<CompiledKernel>(
      describeKernel(functions, layouts, arguments, shared, sites));
  describeOrder(order, arguments, *kernel);
  kernel->roundsOtherwise = functions.front()->hasFnAttribute(ptx::roundsOtherwise);
  placeSites(kernel->faultSites);
  auto walks = std::make_unique<llvm::Module>("heddle." + symbol + ".walk", vectors->getContext());
  for (std::size_t i = 0; i < functions.size(); ++i)
    compileWalk(*walks, compilation, i, kernel->functions[i]);
  for (const auto& [name, address] : compilation.symbols)
    HEDDLE_CHECK(jit_->define(name, address));
  HEDDLE_CHECK(jit_->add(std::move(vectors)));
  HEDDLE_CHECK(jit_->add(std::move(walks)));
  for (std::size_t i = 0; i < functions.size(); ++i) {
    HEDDLE_TRY(void* walk, jit_->lookup(compilation.walkSymbol(i)));
    kernel->functions[i].walk = reinterpret_cast<CompiledFunction::Walk>(walk);
    for (std::size_t block = 0; block < kernel->functions[i].blocks.size(); ++block) {
      if (isOnlyBarrier(*layouts[i]->flow().blocks[block]))
        continue;
      HEDDLE_TRY(void* code, jit_->lookup(compilation.blockSymbol(i, block)));
      kernel->functions[i].blocks[block].code = reinterpret_cast<CompiledBlock::Code>(code);
    }
    const auto* handle = handles_.at(functions[i]->getName().str()).get();
    kernel->functionByHandle[reinterpret_cast<std::uint64_t>(handle)] = int(i);
  }
  if (extracted.module->getFunction(childBufferName) != nullptr)
    kernel->launchable = launchableKernels();
  return kernel;
}

/// Where the variables lie that accesses name; those in shared memory are at no place of their own.
void DeviceProgram::placeSites(std::vector<FaultSite>& sites) const {
  std::map<std::string_view, const DeviceVariable*> byName;
  for (const DeviceVariable& variable : variables_)
    byName[variable.name] = &variable;
  for (FaultSite& site : sites)
    if (const auto found = byName.find(site.variable); found != byName.end()) {
      site.variableBegin = reinterpret_cast<std::uint64_t>(found->second->address);
      site.variableSize = found->second->size;
    }
}

std::map<std::uint64_t, LaunchableKernel> DeviceProgram::launchableKernels() {
  std::map<std::uint64_t, LaunchableKernel> all;
  for (llvm::Function* kernel : ir::kernelsOf(*source_.module)) {
    const std::string symbol = kernel->getName().str();
    all[reinterpret_cast<std::uint64_t>(handles_.at(symbol).get())] = {
        symbol, ArgumentLayout(*kernel).size};
  }
  return all;
}

Expected<const CompiledKernel*> DeviceProgram::kernel(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = kernels_.find(name); known != kernels_.end())
    return known->second.get();
  HEDDLE_TRY(const llvm::Function* function, frontend::findKernel(*source_.module, name));
  const std::string symbol = function->getName().str();
  auto& kernel = kernels_[symbol];
  if (!kernel) {
    auto made = compile(symbol);
    if (!made) {
      kernels_.erase(symbol);
      return tl::unexpected(made.error());
    }
    kernel = std::move(*made);
  }
  return kernel.get();
}

} // namespace heddle::engine
