// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. a variable for the result, names for the parameters, a block for each label
//   2. each statement in order
//   3. blocks that only jump are left out
#include "ptx/FunctionLowering.h"

#include "ptx/BlockMark.h"
#include "ptx/InstructionTable.h"
#include "ptx/MachinePlan.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace heddle::ptx {

unsigned addressSpaceOf(Space space) {
  switch (space) {
  case Space::Global:
    return 1;
  case Space::Shared:
    return 3;
  case Space::Const:
    return 4;
  case Space::Local:
    return 5;
  default:
    return 0;
  }
}

namespace {

/// `@p bra A; bra B;` has a block of its own for the second jump, which no machine has.
void skipJumps(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(&block.front());
    if (&block == &function.getEntryBlock() || jump == nullptr || jump->isConditional() ||
        jump->getSuccessor(0) == &block)
      continue;
    block.replaceAllUsesWith(jump->getSuccessor(0));
    block.eraseFromParent();
  }
}

/// Whether an instruction loads or stores a register, or another number that becomes a value.
bool isOfRegister(const llvm::Instruction& instruction) {
  const auto* memory =
      llvm::dyn_cast_or_null<llvm::AllocaInst>(llvm::getLoadStorePointerOperand(&instruction));
  return memory != nullptr && memory->getAllocatedType()->isIntegerTy();
}

/// A conditional branch both of whose sides are one block.
void joinSides(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch != nullptr && branch->isConditional() &&
        branch->getSuccessor(0) == branch->getSuccessor(1)) {
      llvm::IRBuilder<> builder(branch);
      builder.CreateBr(branch->getSuccessor(0));
      branch->eraseFromParent();
    }
}

} // namespace

FunctionLowering::FunctionLowering(const Function& source, llvm::Function& function,
                                   const FileSymbols& symbols, DebugLocations& places)
    : source_(source), function_(function), symbols_(symbols), places_(places),
      builder_(function.getContext()) {}

void FunctionLowering::run() {
  // Step 1
  places_.begin(source_, function_);
  entry_ = llvm::BasicBlock::Create(function_.getContext(), "variables", &function_);
  scopes_.emplace_back();
  scopeNumbers_.push_back(0);
  findLabels();
  llvm::BasicBlock* body = freshBlock("entry");
  builder_.SetInsertPoint(body);
  builder_.SetCurrentDebugLocation(places_.atPtxLine(source_.line));
  if (usesSourceLines_)
    builder_.SetCurrentDebugLocation(nullptr);
  declareParameters();
  declareResult();
  // Step 2
  for (const Statement& statement : source_.body)
    lower(statement);
  endBlock();
  if (builder_.GetInsertBlock()->getTerminator() == nullptr)
    emitReturn(); // a function may end without saying so
  llvm::IRBuilder<>(entry_).CreateBr(body);
  // Step 3
  llvm::EliminateUnreachableBlocks(function_);
  skipJumps(function_);
  joinSides(function_);
  llvm::EliminateUnreachableBlocks(function_);
  llvm::MergeBlockIntoPredecessor(body);
}

void FunctionLowering::findLabels() {
  std::vector<int> open = {0};
  int seen = 0;
  for (const Statement& statement : source_.body) {
    if (std::holds_alternative<ScopeBegin>(statement))
      open.push_back(++seen);
    else if (std::holds_alternative<ScopeEnd>(statement))
      open.pop_back();
    else if (const auto* label = std::get_if<Label>(&statement))
      labels_[{open.back(), label->name}] = llvm::BasicBlock::Create(
          function_.getContext(), llvm::StringRef(label->name), &function_);
    else if (const auto* targets = std::get_if<BranchTargets>(&statement))
      targets_[targets->name] = targets;
    else if (std::holds_alternative<Location>(statement))
      usesSourceLines_ = true;
    else if (const auto* instruction = std::get_if<Instruction>(&statement))
      noteReads(*instruction);
  }
}

/// The first operand is what an instruction writes, unless it is memory or there is no result.
void FunctionLowering::noteReads(const Instruction& instruction) {
  reads_.insert(instruction.guard);
  const bool hasResult = !instruction.operands.empty() &&
                         instruction.operands.front().kind != Operand::Kind::Memory &&
                         instruction.opcode != "call";
  std::vector<const Operand*> work;
  for (std::size_t i = hasResult ? 1 : 0; i < instruction.operands.size(); ++i)
    work.push_back(&instruction.operands[i]);
  for (std::size_t i = 0; i < work.size(); ++i) {
    reads_.insert(work[i]->name);
    for (const Operand& part : work[i]->parts)
      work.push_back(&part);
  }
}

void FunctionLowering::declareParameters() {
  for (std::size_t i = 0; i < source_.parameters.size(); ++i) {
    const Variable& parameter = source_.parameters[i];
    llvm::Argument* argument = function_.getArg(unsigned(i));
    argument->setName(llvm::StringRef(parameter.name));
    scopes_.back()[std::string(parameter.name)] = {argument, false, !isByValue(parameter)};
  }
}

void FunctionLowering::declareResult() {
  if (source_.results.empty())
    return;
  result_ = variable(function_.getReturnType(), "result");
  if (source_.results.front().alignment != 0)
    result_->setAlignment(llvm::Align(source_.results.front().alignment));
  scopes_.back()[std::string(source_.results.front().name)] = {result_};
}

llvm::AllocaInst* FunctionLowering::variable(llvm::Type* type, const llvm::Twine& name) {
  return llvm::IRBuilder<>(entry_).CreateAlloca(type, nullptr, name);
}

void FunctionLowering::lower(const Statement& statement) {
  if (const auto* instruction = std::get_if<Instruction>(&statement)) {
    lowerInstruction(*instruction);
  } else if (const auto* location = std::get_if<Location>(&statement)) {
    builder_.SetCurrentDebugLocation(places_.at(*location));
  } else if (const auto* label = std::get_if<Label>(&statement)) {
    llvm::BasicBlock* block = blockOf(label->name);
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
      endBlock();
      builder_.CreateBr(block);
    }
    continueIn(block);
  } else if (const auto* declared = std::get_if<Variable>(&statement)) {
    declare(*declared);
  } else if (std::holds_alternative<ScopeBegin>(statement)) {
    scopes_.emplace_back();
    scopeNumbers_.push_back(++scopesSeen_);
  } else if (std::holds_alternative<ScopeEnd>(statement)) {
    scopes_.pop_back();
    scopeNumbers_.pop_back();
  }
}

void FunctionLowering::declare(const Variable& declared) {
  if (declared.space == Space::Register)
    return declareRegisters(declared);
  Name name;
  if (declared.space == Space::Shared || declared.space == Space::Global ||
      declared.space == Space::Const) {
    const auto known = symbols_.variables.find(declared.name);
    name.value = known != symbols_.variables.end()
                     ? known->second
                     : declareVariable(declared, *function_.getParent());
  } else {
    llvm::Type* scalar = typeOf(declared.type);
    llvm::AllocaInst* made = variable(
        declared.isArray ? llvm::ArrayType::get(builder_.getInt8Ty(), declared.bytes()) : scalar,
        llvm::StringRef(declared.name));
    if (declared.alignment != 0)
      made->setAlignment(llvm::Align(declared.alignment));
    name.value = made;
  }
  scopes_.back()[std::string(declared.name)] = name;
}

void FunctionLowering::declareRegisters(const Variable& declared) {
  const auto add = [&](std::string name) {
    llvm::Type* type = llvm::Type::getIntNTy(function_.getContext(), declared.type.bits);
    scopes_.back()[name] = {variable(type, name), true};
  };
  const std::string name(declared.name);
  if (declared.elements > 1) // a vector: %v.x
    for (unsigned i = 0; i < declared.elements && i < 4; ++i)
      add(name + "." + "xyzw"[i]);
  else if (!declared.range)
    add(name);
  // Of a range each register is made when it is met first: few of them are used.
  if (declared.range)
    scopes_.back()[name + "<"] = {
        llvm::UndefValue::get(llvm::Type::getIntNTy(function_.getContext(), declared.type.bits)),
        true};
}

const FunctionLowering::Name* FunctionLowering::find(std::string_view name) const {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end())
      return &found->second;
    if (digits == 0 || digits == name.size())
      continue;
    const auto range = scope->find(std::string(name.substr(0, digits)) + "<");
    if (range == scope->end())
      continue;
    auto& self = const_cast<FunctionLowering&>(*this);
    const Name made = {self.variable(range->second.value->getType(), llvm::StringRef(name)), true};
    return &const_cast<Scope&>(*scope).emplace(name, made).first->second;
  }
  return nullptr;
}

void FunctionLowering::lowerInstruction(const Instruction& instruction) {
  if (builder_.GetInsertBlock()->getTerminator() != nullptr)
    continueIn(freshBlock("behind")); // nobody comes here
  if (!usesSourceLines_)
    builder_.SetCurrentDebugLocation(places_.atPtxLine(instruction.line));
  line_ = instruction.line;
  const Form form(instruction);
  const Row* row = instruction.readable ? findRow(form) : nullptr;
  if (row == nullptr)
    return refuse(form);
  const bool isJump = row->lower == &lowerBra && instruction.guard.empty();
  if (!isJump || lastLine_ != 0) // else it has no block of its own: skipJumps()
    beginBlock(instruction.line);
  if (row->lower == &lowerBra || row->lower == &lowerBrx || row->lower == &lowerRet ||
      row->lower == &lowerExit)
    endBlock();
  if (instruction.guard.empty() || row->lower == &lowerBra)
    return lowerRow(*row, form);
  lowerGuarded(*row, form);
}

/// What touches memory keeps the line of the PTX: so machine code that does the same is found.
/// Registers are no memory in the end, and there are many: they get none.
void FunctionLowering::lowerRow(const Row& row, const Form& form) {
  if (row.effect == Effect::None)
    return row.lower(*this, form);
  llvm::BasicBlock* block = builder_.GetInsertBlock();
  llvm::Instruction* last = block->empty() ? nullptr : &block->back();
  row.lower(*this, form); // into an empty block, perhaps nothing
  const auto first = last == nullptr ? block->begin() : std::next(last->getIterator());
  for (llvm::Instruction& made : llvm::make_range(first, block->end()))
    if (made.mayReadOrWriteMemory() && !isOfRegister(made))
      setPtxLine(made, form.instruction().line);
}

/// Marks the beginning of a block of PTX, if an instruction is its first.
void FunctionLowering::beginBlock(std::uint32_t line) {
  if (lastLine_ == 0) {
    firstLine_ = firstLine_ == 0 ? source_.line : line; // a function begins with its heading
    addMark(builder_, {.firstLine = firstLine_});
  }
  lastLine_ = line;
}

void FunctionLowering::endBlock() {
  if (lastLine_ != 0)
    addMark(builder_, {.firstLine = firstLine_, .lastLine = lastLine_});
  lastLine_ = 0;
}

/// `@p add d, a, b` selects; `@p st [a], b` branches.
void FunctionLowering::lowerGuarded(const Row& row, const Form& form) {
  llvm::Value* guard = guardOf(form.instruction());
  if (row.effect == Effect::None) {
    guard_ = guard;
    row.lower(*this, form);
    guard_ = nullptr;
    return;
  }
  llvm::BasicBlock* then = freshBlock("guarded");
  llvm::BasicBlock* after = freshBlock("after");
  llvm::BranchInst* branch = builder_.CreateCondBr(guard, then, after);
  branch->setMetadata(predicatedMetadata, llvm::MDNode::get(function_.getContext(), {}));
  continueIn(then);
  lowerRow(row, form);
  if (builder_.GetInsertBlock()->getTerminator() == nullptr)
    builder_.CreateBr(after);
  continueIn(after);
}

llvm::Value* FunctionLowering::guardOf(const Instruction& instruction) {
  Operand operand;
  operand.name = instruction.guard;
  operand.negated = instruction.guardNegated;
  return read(operand, {'p', 1});
}

llvm::BasicBlock* FunctionLowering::blockOf(std::string_view label) {
  for (auto scope = scopeNumbers_.rbegin(); scope != scopeNumbers_.rend(); ++scope)
    if (const auto found = labels_.find({*scope, label}); found != labels_.end())
      return found->second;
  return nullptr;
}

llvm::BasicBlock* FunctionLowering::freshBlock(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(function_.getContext(), name, &function_);
}

void FunctionLowering::continueIn(llvm::BasicBlock* block) {
  block->moveAfter(&function_.back());
  builder_.SetInsertPoint(block);
}

const BranchTargets* FunctionLowering::targetsNamed(std::string_view name) const {
  const auto found = targets_.find(name);
  return found == targets_.end() ? nullptr : found->second;
}

const Prototype* FunctionLowering::prototypeNamed(std::string_view name) const {
  for (const Prototype& prototype : source_.prototypes)
    if (prototype.name == name)
      return &prototype;
  return nullptr;
}

llvm::Value* FunctionLowering::returnedValue() {
  llvm::Type* type = function_.getReturnType();
  llvm::Value* whole = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < returned_.size(); ++i) {
    Operand operand;
    operand.name = returned_[i];
    llvm::Type* part = type->isStructTy() ? type->getStructElementType(i) : type;
    const bool isPointer = part->isPointerTy();
    llvm::Value* value =
        read(operand, {'b', isPointer ? 64 : unsigned(part->getPrimitiveSizeInBits())});
    value = isPointer ? builder_.CreateIntToPtr(value, part) : builder_.CreateBitCast(value, part);
    whole = type->isStructTy() ? builder_.CreateInsertValue(whole, value, i) : value;
  }
  return whole;
}

void FunctionLowering::emitReturn() {
  if (!returned_.empty()) {
    builder_.CreateRet(returnedValue());
    return;
  }
  if (result_ == nullptr)
    builder_.CreateRetVoid();
  else
    builder_.CreateRet(builder_.CreateLoad(result_->getAllocatedType(), result_));
}

void FunctionLowering::refuse(const Form& form, std::string_view why) {
  llvm::LLVMContext& context = function_.getContext();
  const std::string words = fmt::format("PTX's '{}' (line {} of the PTX{}{})", form.text(), line_,
                                        why.empty() ? "" : ": ", why);
  llvm::CallInst* call =
      builder_.CreateCall(function_.getParent()->getOrInsertFunction(
                              refusedName, llvm::FunctionType::get(builder_.getVoidTy(), false)),
                          {});
  call->setMetadata(refusedName, llvm::MDNode::get(context, llvm::MDString::get(context, words)));
}

} // namespace heddle::ptx
