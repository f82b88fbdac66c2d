// SPDX-License-Identifier: Apache-2.0
//
// Steps, for each function:
//   1. find what may be fused, and the piece of code that each is in
//   2. decide by the rule
//   3. where machine code has been read, correct that; sums whose copies differ are fused in some
//      rounds of their loop
//   4. fuse; then scale the products that are left
#include "ptx/FuseProducts.h"

#include "ir/Kernels.h"
#include "ptx/FunctionLowering.h"
#include "ptx/FuseRounds.h"
#include "ptx/ReadPtx.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>

namespace heddle::ptx {

using namespace llvm;

namespace {

struct UseBySum {
  FusableOperation* sum;
  unsigned operand;
};

bool isRounded(StringRef name, StringRef function) {
  return name.consume_front("llvm.nvvm.") && name.consume_front(function) && name.starts_with(".r");
}

/// Whether ptxas makes several blocks of an instruction.
bool endsPiece(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FDiv:
  case llvm::Instruction::Fence:
    return true;
  case llvm::Instruction::SDiv:
  case llvm::Instruction::SRem:
    return !isa<Constant>(instruction.getOperand(1));
  case llvm::Instruction::UDiv:
  case llvm::Instruction::URem:
    return !isa<Constant>(instruction.getOperand(1)) && !instruction.getType()->isIntegerTy(32);
  case llvm::Instruction::Call:
    break;
  default:
    return false;
  }
  const auto& call = cast<CallInst>(instruction);
  const StringRef name = calledName(&instruction);
  if (!name.starts_with("llvm.") && !name.starts_with("heddle.") && !name.starts_with("__nv_"))
    return true;
  return call.getIntrinsicID() == Intrinsic::sqrt || isRounded(name, "div") ||
         isRounded(name, "rcp") || isRounded(name, "sqrt") || name == "llvm.nvvm.rsqrt.approx.d" ||
         name.starts_with("llvm.nvvm.membar");
}

/// The block that always comes next, and only from here.
BasicBlock* onlyNext(BasicBlock& block) {
  BasicBlock* next = block.getUniqueSuccessor();
  return next != nullptr && next->getUniquePredecessor() == &block && next != &block ? next
                                                                                     : nullptr;
}

bool goesOn(BasicBlock& block) {
  BasicBlock* before = block.getUniquePredecessor();
  return before != nullptr && onlyNext(*before) == &block;
}

/// Behind what is nothing on a machine: other types, and a shift by 0 that parameters come with.
Value* behindMoves(Value* value) {
  using namespace PatternMatch;
  while (isa<BitCastInst>(value) || match(value, m_LShr(m_Value(), m_Zero())))
    value = cast<llvm::Instruction>(value)->getOperand(0);
  return value;
}

/// Whether the machine reads a number from its constants: a literal, a parameter of the kernel,
/// what lies at a fixed place of constant memory.
bool isConstant(Value* value, bool isKernel) {
  value = behindMoves(value);
  if (isa<UnaryOperator>(value)) // a sign
    value = behindMoves(cast<llvm::Instruction>(value)->getOperand(0));
  if (isa<Constant>(value) || isa<Argument>(value))
    return isKernel || isa<Constant>(value);
  const auto* load = dyn_cast<LoadInst>(value);
  if (load == nullptr)
    return false;
  const Value* place = load->getPointerOperand();
  APInt offset(load->getModule()->getDataLayout().getIndexTypeSizeInBits(place->getType()), 0);
  place = place->stripAndAccumulateConstantOffsets(load->getModule()->getDataLayout(), offset,
                                                   /*AllowNonInbounds=*/true);
  const auto* variable = dyn_cast<GlobalVariable>(place);
  return (isKernel && isa<Argument>(place)) ||
         (variable != nullptr && variable->getAddressSpace() == addressSpaceOf(Space::Const));
}

/// The bits of a number of 32 bits that is known.
std::optional<std::uint32_t> bitsOf(Value* value) {
  value = behindMoves(value);
  if (const auto* number = dyn_cast<ConstantFP>(value))
    return std::uint32_t(number->getValueAPF().bitcastToAPInt().getZExtValue());
  if (const auto* number = dyn_cast<ConstantInt>(value))
    return std::uint32_t(number->getZExtValue());
  return {};
}

/// What FMUL calls a power of two that it can scale by; empty for other numbers.
StringRef scaleNamed(std::uint32_t bits) {
  constexpr std::array<std::pair<float, StringLiteral>, 6> scales = {
      {{0.125f, "d8"}, {0.25f, "d4"}, {0.5f, "d2"}, {2.0f, "m2"}, {4.0f, "m4"}, {8.0f, "m8"}}};
  for (const auto& [scale, name] : scales)
    if (std::bit_cast<std::uint32_t>(scale) == bits)
      return name;
  return {};
}

/// Numbers that are the same for values which are computed alike.
class ValueNumbers {
public:
  explicit ValueNumbers(const llvm::Function& function) {
    for (const llvm::Instruction& instruction : instructions(function)) {
      if (instruction.mayReadOrWriteMemory() || isa<PHINode>(instruction))
        continue;
      hash_code number = hash_combine(instruction.getOpcode(), instruction.getType());
      for (const Value* operand : instruction.operands())
        number = hash_combine(number, of(operand));
      numbers_[&instruction] = number;
    }
  }

  std::size_t of(const Value* value) const {
    const auto found = numbers_.find(value);
    return found == numbers_.end() ? std::size_t(hash_value(value)) : found->second;
  }

private:
  std::map<const Value*, std::size_t> numbers_;
};

class Fusion {
public:
  Fusion(llvm::Function& function, bool isKernel, const ArithmeticOfLines& machine)
      : function_(function), isKernel_(isKernel), machine_(machine) {
    findOperations(function);
  }

  /// Whether machine code has left nothing open.
  bool isCertain() const { return isCertain_; }

  void run() {
    if (operations_.empty())
      return;
    RoundFusion rounds(function_, [&](const Value* value) { return operation(value); });
    // Step 2
    for (const bool usedOnce : {true, false})
      for (FusableOperation* sum : sums_)
        if (!sum->fused && !(usedOnce && sum->isPair()))
          sum->fused = choice(*sum, usedOnce);
    // Step 3
    for (FusableOperation* sum : sums_)
      correct(*sum);
    for (FusableOperation* sum : sums_)
      isCertain_ = isCertain_ && isKnown(*sum) && !addsCarried(*sum);
    for (FusableOperation* sum : sums_) // what is likely, where machine code is not run
      isCertain_ = !rounds.fuse(*sum, machineOf(*sum)) && isCertain_;
    isCertain_ = isCertain_ && (machine_.empty() || !hasUnlikeTwins());
    // Step 4
    SmallVector<WeakTrackingVH, 16> left;
    for (FusableOperation* sum : sums_)
      if (sum->fused)
        fuse(*sum, left);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(left);
    for (const WeakVH& product : products_)
      if (product != nullptr)
        scale(*operation(product));
    forget();
  }

private:
  /// Step 1
  void findOperations(llvm::Function& function) {
    unsigned piece = 0;
    for (BasicBlock& first : function) {
      if (goesOn(first))
        continue;
      ++piece;
      for (BasicBlock* block = &first; block != nullptr; block = onlyNext(*block))
        for (llvm::Instruction& instruction : *block) {
          piece += endsPiece(instruction) ? 1 : 0;
          note(instruction, piece);
        }
    }
  }

  void note(llvm::Instruction& instruction, unsigned piece) {
    auto found = fusableOperation(instruction);
    if (!found)
      return;
    found->piece = piece;
    found->isAnywhere = any_of(instruction.operands(),
                               [&](Value* operand) { return isConstant(operand, isKernel_); });
    auto& made = operations_[&instruction];
    made = std::make_unique<FusableOperation>(*found);
    if (made->isSum())
      sums_.push_back(made.get());
    else
      products_.emplace_back(&instruction);
  }

  FusableOperation* operation(const Value* value) const {
    const auto found = operations_.find(value);
    return found == operations_.end() ? nullptr : found->second.get();
  }

  FusableOperation* product(const FusableOperation& sum, unsigned index) const {
    return productOf(sum, index, [&](const Value* value) { return operation(value); });
  }

  /// What uses a product; nothing if that is not sums alone.
  std::optional<SmallVector<UseBySum, 4>> usesBySums(const FusableOperation& product) const {
    SmallVector<UseBySum, 4> uses;
    SmallVector<const Value*, 8> work = {product.at};
    while (!work.empty()) {
      const Value* value = work.pop_back_val();
      for (const Use& use : value->uses()) {
        unsigned signs = 0;
        FusableOperation* user = operation(use.getUser());
        if (user != nullptr && user->isSum() && user->isLike(product))
          uses.push_back({user, use.getOperandNo()});
        else if (isSignOrMove(use.getUser(), product, signs))
          work.push_back(use.getUser());
        else
          return {};
      }
    }
    return uses;
  }

  /// How many sums use a product that may go into them; 0 where it may not.
  std::size_t usesOfFusable(const FusableOperation& candidate) const {
    const auto uses = usesBySums(candidate);
    const auto takesIt = [&](const UseBySum& use) {
      return (candidate.isAnywhere || use.sum->piece == candidate.piece) &&
             (!use.sum->fused || *use.sum->fused == use.operand) &&
             product(*use.sum, 1 - use.operand) != &candidate;
    };
    return uses && all_of(*uses, takesIt) ? uses->size() : 0;
  }

  std::optional<unsigned> choice(const FusableOperation& sum, bool usedOnce) const {
    std::optional<unsigned> best;
    std::size_t fewest = 0;
    for (const unsigned index : {0u, 1u}) {
      const FusableOperation* candidate = product(sum, index);
      const std::size_t uses = candidate == nullptr ? 0 : usesOfFusable(*candidate);
      if (uses == 0 || (usedOnce && uses > 1) || (best && uses >= fewest))
        continue;
      best = index;
      fewest = uses;
    }
    return best;
  }

  void forget() const {
    for (const FusableOperation* sum : sums_)
      if (!sum->fused)
        sum->at->setMetadata(mayFuseName, nullptr);
    for (const WeakVH& product : products_)
      if (product != nullptr)
        cast<llvm::Instruction>(product)->setMetadata(mayFuseName, nullptr);
  }

  MachineArithmetic machineOf(const FusableOperation& operation) const {
    const auto found = machine_.find(operation.line);
    return found == machine_.end() ? MachineArithmetic{} : found->second;
  }

  /// Machine code tells whether a sum was fused, and which products there are. Two halves in one
  /// register may have the line of anything, and sums of them look like fused ones.
  void correct(FusableOperation& sum) const {
    const MachineArithmetic known = machineOf(sum);
    if (sum.isSmall() || known.adds == known.fuses)
      return;
    if (known.adds) {
      sum.fused.reset();
      return;
    }
    const FusableOperation* candidates[] = {product(sum, 0), product(sum, 1)};
    if (candidates[0] == candidates[1])
      return;
    const auto isGone = [&](unsigned index) {
      return candidates[index] != nullptr && !machineOf(*candidates[index]).multiplies;
    };
    if (isGone(0) != isGone(1))
      sum.fused = isGone(0) ? 0 : 1;
    else if (!sum.fused)
      sum.fused = candidates[0] != nullptr ? 0 : 1;
  }

  /// Whether machine code says all of a sum: that it has no product in it, or which one.
  bool isKnown(const FusableOperation& sum) const {
    const MachineArithmetic known = machineOf(sum);
    const FusableOperation* candidates[] = {product(sum, 0), product(sum, 1)};
    const bool hasOne = candidates[0] != nullptr || candidates[1] != nullptr;
    if (sum.isSmall())
      return !hasOne;
    if (known.adds == known.fuses)
      return !known.adds && !hasOne;
    return known.adds || (hasOne && (candidates[0] == nullptr || candidates[1] == nullptr ||
                                     machineOf(*candidates[0]).multiplies !=
                                         machineOf(*candidates[1]).multiplies));
  }

  /// Whether a sum may have taken in a product of the round before in some copies of its loop.
  bool addsCarried(const FusableOperation& sum) const {
    const auto isProduct = [&](const Use& use) {
      unsigned signs = 0;
      const FusableOperation* made = operation(behindSigns(use.get(), sum, signs));
      return made != nullptr && !made->isSum();
    };
    return any_of(seq(2u), [&](unsigned index) {
      unsigned signs = 0;
      const auto* choice = dyn_cast<PHINode>(behindSigns(sum.operand(index), sum, signs));
      return choice != nullptr && any_of(choice->incoming_values(), isProduct);
    });
  }

  /// Whether two sums of the same numbers are not fused alike. Machine code may use either for
  /// both.
  bool hasUnlikeTwins() const {
    const ValueNumbers numbers(function_);
    std::map<std::size_t, bool> isFused;
    return any_of(sums_, [&](const FusableOperation* sum) {
      const bool isOne = sum->fused.has_value();
      return isFused.try_emplace(numbers.of(sum->at), isOne).first->second != isOne;
    });
  }

  void fuse(FusableOperation& sum, SmallVectorImpl<WeakTrackingVH>& left) const {
    const FusableOperation& taken = *product(sum, *sum.fused);
    IRBuilder<> builder(sum.at);
    unsigned signs = 0;
    behindSigns(sum.operand(*sum.fused), sum, signs);
    Value* made = fusedSum(builder, sum, *sum.fused, signs, {taken.operand(0), taken.operand(1)});
    left.emplace_back(sum.operand(*sum.fused));
    made->takeName(sum.at);
    sum.at->replaceAllUsesWith(made);
    sum.at->eraseFromParent();
  }

  /// The product with a power of two that a product is used by and by nothing else.
  static llvm::Instruction* scaling(const FusableOperation& inner, Value*& value) {
    value = inner.at;
    while (value->hasOneUse() && isa<BitCastInst>(*value->user_begin()))
      value = *value->user_begin();
    if (!value->hasOneUse())
      return nullptr;
    auto* user = cast<llvm::Instruction>(*value->user_begin());
    const StringRef name = calledName(user);
    const bool isProduct = user->getOpcode() == llvm::Instruction::FMul ||
                           name == "llvm.nvvm.mul.rn.f" || name == "llvm.nvvm.mul.rn.ftz.f";
    return isProduct && user->getType()->isFloatTy() ? user : nullptr;
  }

  void scale(const FusableOperation& inner) {
    Value* value = nullptr;
    llvm::Instruction* outer = inner.type == "f32" ? scaling(inner, value) : nullptr;
    if (outer == nullptr)
      return;
    const auto bits = bitsOf(outer->getOperand(outer->getOperand(0) == value ? 1 : 0));
    const StringRef scale = bits ? scaleNamed(*bits) : StringRef();
    if (scale.empty() || !isScaled(inner, *outer))
      return;
    const char* flush = calledName(outer).contains("ftz") ? ".ftz" : "";
    IRBuilder<> builder(outer);
    Type* type = outer->getType();
    Value* made = builder.CreateCall(
        outer->getModule()->getOrInsertFunction(
            (operationPrefix + Twine("mul.") + scale + flush + ".f").str(),
            Intrinsic::getAttributes(outer->getContext(), Intrinsic::nvvm_mul_rn_ftz_f), type, type,
            type),
        {inner.operand(0), inner.operand(1)});
    outer->replaceAllUsesWith(made);
    SmallVector<WeakTrackingVH, 16> left = {outer};
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(left);
  }

  bool isScaled(const FusableOperation& inner, const llvm::Instruction& outer) const {
    const MachineArithmetic known = machineOf(inner);
    const FusableOperation* marked = operation(&outer);
    const MachineArithmetic user = marked == nullptr ? MachineArithmetic{} : machineOf(*marked);
    if (known.multiplies || user.multiplies)
      return known.scales || user.scales;
    return inner.at->getParent() == outer.getParent();
  }

  llvm::Function& function_;
  bool isKernel_;
  const ArithmeticOfLines& machine_;
  std::map<const Value*, std::unique_ptr<FusableOperation>> operations_;
  std::vector<FusableOperation*> sums_; ///< in their order
  std::vector<WeakVH> products_;
  bool isCertain_ = true;
};

} // namespace

Value* fusable(const Form& form, Value* made) {
  auto* operation = dyn_cast<llvm::Instruction>(made); // or a constant
  if (operation == nullptr || !form.rounding().empty() || !sumKindNamed(form.instruction().opcode))
    return made;
  LLVMContext& context = operation->getContext();
  auto* line = ConstantInt::get(Type::getInt32Ty(context), form.instruction().line);
  operation->setMetadata(mayFuseName, MDNode::get(context, ConstantAsMetadata::get(line)));
  return made;
}

void forbidFusion(Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : instructions(function))
      instruction.setMetadata(mayFuseName, nullptr);
}

void leaveOpen(llvm::Function& function) {
  const std::vector<llvm::Function*> kernels = ir::kernelsOf(*function.getParent());
  const bool isKernel = is_contained(kernels, &function);
  for (llvm::Function* kernel : kernels)
    if (!isKernel || kernel == &function)
      kernel->addFnAttr(roundsOtherwise);
}

void fuseProducts(Module& module, const ArithmeticOfLines& machine) {
  const std::vector<llvm::Function*> kernels = ir::kernelsOf(module);
  for (llvm::Function& function : module) {
    Fusion fusion(function, is_contained(kernels, &function), machine);
    fusion.run();
    if (!machine.empty() && !fusion.isCertain())
      leaveOpen(function);
  }
}

} // namespace heddle::ptx
