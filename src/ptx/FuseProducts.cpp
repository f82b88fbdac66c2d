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
#include "ptx/LoopCopies.h"
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

constexpr StringLiteral mayFuseName = "heddle.fuse", smallPrefix = "heddle.ptx.small.";

enum class Kind : std::uint8_t { Sum, Difference, Product };

/// A sum or product that may be fused.
struct Operation {
  llvm::Instruction* at = nullptr;
  Kind kind = Kind::Product;
  StringRef type; ///< f32, f64, f16, bf16x2, ...
  bool flushes = false, saturates = false;
  std::uint32_t line = 0;
  unsigned piece = 0;
  bool isAnywhere = false;       ///< of a product: sums of other pieces may take it in, too
  std::optional<unsigned> fused; ///< of a sum: the operand that it takes in

  Value* operand(unsigned index) const { return at->getOperand(index); }
  bool isSum() const { return kind != Kind::Product; }
  bool isPair() const { return type.ends_with("x2"); }
  bool isSmall() const { return at->getType()->isIntegerTy(); }
  bool isLike(const Operation& other) const {
    return type == other.type && flushes == other.flushes;
  }
};

struct UseBySum {
  Operation* sum;
  unsigned operand;
};

StringRef calleeName(const Value* value) {
  const auto* call = dyn_cast<CallInst>(value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? StringRef() : callee->getName();
}

std::optional<Kind> kindNamed(StringRef name) {
  return name == "add"   ? std::optional(Kind::Sum)
         : name == "sub" ? std::optional(Kind::Difference)
         : name == "mul" ? std::optional(Kind::Product)
                         : std::nullopt;
}

/// `heddle.ptx.small.add.f16x2.ftz.sat`, `llvm.nvvm.mul.rn.ftz.f`
std::optional<Operation> namedOperation(StringRef name) {
  Operation made;
  SmallVector<StringRef, 8> words;
  if (name.consume_front(smallPrefix)) {
    name.split(words, '.');
    if (words.size() < 2)
      return {};
    made.type = words[1];
    made.flushes = is_contained(words, "ftz");
    made.saturates = is_contained(words, "sat");
  } else {
    if (!name.consume_front("llvm.nvvm.") || !name.ends_with(".rn.ftz.f"))
      return {};
    name.split(words, '.');
    made.type = "f32";
    made.flushes = true;
  }
  const auto kind = kindNamed(words.front());
  if (!kind)
    return {};
  made.kind = *kind;
  return made;
}

std::optional<Operation> operationOf(llvm::Instruction& instruction) {
  const MDNode* allowed = instruction.getMetadata(mayFuseName);
  if (allowed == nullptr)
    return {};
  std::optional<Operation> made;
  if (const auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    made.emplace();
    made->kind = binary->getOpcode() == llvm::Instruction::FMul   ? Kind::Product
                 : binary->getOpcode() == llvm::Instruction::FSub ? Kind::Difference
                                                                  : Kind::Sum;
    made->type = instruction.getType()->isFloatTy() ? "f32" : "f64";
  } else {
    made = namedOperation(calleeName(&instruction));
  }
  if (!made || (made->kind == Kind::Product && made->saturates))
    return {};
  made->at = &instruction;
  made->line =
      std::uint32_t(mdconst::extract<ConstantInt>(allowed->getOperand(0).get())->getZExtValue());
  return made;
}

/// A sum with -0, which `neg.ftz` begins with: nothing but what is below the normal numbers is
/// changed by it.
bool isFlush(const Value* value) {
  if (calleeName(value) != "llvm.nvvm.add.rn.ftz.f")
    return false;
  const auto* zero = dyn_cast<ConstantFP>(cast<CallInst>(value)->getArgOperand(1));
  return zero != nullptr && zero->isZero() && zero->isNegative() &&
         cast<CallInst>(value)->getMetadata(mayFuseName) == nullptr &&
         all_of(value->users(), [](const User* user) {
           return isa<UnaryOperator>(user) || isa<BitCastInst>(user);
         });
}

/// What ptxas makes a part of the instruction that uses it. `signs` counts changes of sign.
bool isSignOrMove(const Value* value, const Operation& user, unsigned& signs) {
  if (isa<BitCastInst>(value) || (isFlush(value) && user.flushes))
    return true;
  StringRef name = calleeName(value);
  const bool isSmallSign = name.consume_front(smallPrefix) && name.consume_front("neg.") &&
                           name.consume_front(user.type) && user.type != "bf16x2" &&
                           (name.empty() || (name == ".ftz" && user.flushes));
  const auto* unary = dyn_cast<UnaryOperator>(value);
  const bool isSign =
      isSmallSign || (unary != nullptr && unary->getOpcode() == llvm::Instruction::FNeg);
  signs += isSign ? 1 : 0;
  return isSign;
}

Value* behindSigns(Value* value, const Operation& user, unsigned& signs) {
  while (isSignOrMove(value, user, signs))
    value = cast<llvm::Instruction>(value)->getOperand(0);
  return value;
}

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
  const StringRef name = calleeName(&instruction);
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
    // Step 2
    for (const bool usedOnce : {true, false})
      for (Operation* sum : sums_)
        if (!sum->fused && !(usedOnce && sum->isPair()))
          sum->fused = choice(*sum, usedOnce);
    // Step 3
    for (Operation* sum : sums_)
      correct(*sum);
    for (Operation* sum : sums_)
      isCertain_ = (fuseInSomeRounds(*sum) || isKnown(*sum)) && isCertain_;
    // Step 4
    SmallVector<WeakTrackingVH, 16> left;
    for (Operation* sum : sums_)
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
    auto found = operationOf(instruction);
    if (!found)
      return;
    found->piece = piece;
    found->isAnywhere = any_of(instruction.operands(),
                               [&](Value* operand) { return isConstant(operand, isKernel_); });
    auto& made = operations_[&instruction];
    made = std::make_unique<Operation>(*found);
    if (made->isSum())
      sums_.push_back(made.get());
    else
      products_.emplace_back(&instruction);
  }

  Operation* operation(const Value* value) const {
    const auto found = operations_.find(value);
    return found == operations_.end() ? nullptr : found->second.get();
  }

  /// The product that an operand of a sum is, with or without its sign.
  Operation* product(const Operation& sum, unsigned index) const {
    unsigned signs = 0;
    Operation* found = operation(behindSigns(sum.operand(index), sum, signs));
    return found != nullptr && !found->isSum() && found->isLike(sum) ? found : nullptr;
  }

  /// What uses a product; nothing if that is not sums alone.
  std::optional<SmallVector<UseBySum, 4>> usesBySums(const Operation& product) const {
    SmallVector<UseBySum, 4> uses;
    SmallVector<const Value*, 8> work = {product.at};
    while (!work.empty()) {
      const Value* value = work.pop_back_val();
      for (const Use& use : value->uses()) {
        unsigned signs = 0;
        Operation* user = operation(use.getUser());
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
  std::size_t usesOfFusable(const Operation& candidate) const {
    const auto uses = usesBySums(candidate);
    const auto takesIt = [&](const UseBySum& use) {
      return (candidate.isAnywhere || use.sum->piece == candidate.piece) &&
             (!use.sum->fused || *use.sum->fused == use.operand) &&
             product(*use.sum, 1 - use.operand) != &candidate;
    };
    return uses && all_of(*uses, takesIt) ? uses->size() : 0;
  }

  std::optional<unsigned> choice(const Operation& sum, bool usedOnce) const {
    std::optional<unsigned> best;
    std::size_t fewest = 0;
    for (const unsigned index : {0u, 1u}) {
      const Operation* candidate = product(sum, index);
      const std::size_t uses = candidate == nullptr ? 0 : usesOfFusable(*candidate);
      if (uses == 0 || (usedOnce && uses > 1) || (best && uses >= fewest))
        continue;
      best = index;
      fewest = uses;
    }
    return best;
  }

  void forget() const {
    for (const Operation* sum : sums_)
      if (!sum->fused)
        sum->at->setMetadata(mayFuseName, nullptr);
    for (const WeakVH& product : products_)
      if (product != nullptr)
        cast<llvm::Instruction>(product)->setMetadata(mayFuseName, nullptr);
  }

  MachineArithmetic machineOf(const Operation& operation) const {
    const auto found = machine_.find(operation.line);
    return found == machine_.end() ? MachineArithmetic{} : found->second;
  }

  /// Machine code tells whether a sum was fused, and which products there are. Two halves in one
  /// register may have the line of anything, and sums of them look like fused ones.
  void correct(Operation& sum) const {
    const MachineArithmetic known = machineOf(sum);
    if (sum.isSmall() || known.adds == known.fuses)
      return;
    if (known.adds) {
      sum.fused.reset();
      return;
    }
    const Operation* candidates[] = {product(sum, 0), product(sum, 1)};
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
  bool isKnown(const Operation& sum) const {
    const MachineArithmetic known = machineOf(sum);
    const Operation* candidates[] = {product(sum, 0), product(sum, 1)};
    const bool hasOne = candidates[0] != nullptr || candidates[1] != nullptr;
    if (sum.isSmall())
      return !hasOne;
    if (known.adds == known.fuses)
      return !known.adds && !hasOne;
    return known.adds || (hasOne && (candidates[0] == nullptr || candidates[1] == nullptr ||
                                     machineOf(*candidates[0]).multiplies !=
                                         machineOf(*candidates[1]).multiplies));
  }

  /// A product of the round before: what a sum adds is chosen where a round begins.
  struct Carried {
    PHINode* choice = nullptr;
    Operation *first = nullptr, *next = nullptr; ///< of the first round, if any; of all others
    unsigned signs = 0, firstSigns = 0, nextSigns = 0;
  };

  std::optional<Carried> carried(const Operation& sum, unsigned index) {
    Carried made;
    made.choice = dyn_cast<PHINode>(behindSigns(sum.operand(index), sum, made.signs));
    const Loop* loop = copies_->loopOf(*sum.at);
    if (made.choice == nullptr || made.choice->getParent() != loop->getHeader() ||
        made.choice->getNumIncomingValues() != 2)
      return {};
    for (const unsigned i : {0u, 1u}) {
      const bool isNext = loop->contains(made.choice->getIncomingBlock(i));
      unsigned& signs = isNext ? made.nextSigns : made.firstSigns;
      Operation* found = operation(behindSigns(made.choice->getIncomingValue(i), sum, signs));
      if (found != nullptr && !found->isSum() && found->isLike(sum))
        (isNext ? made.next : made.first) = found;
    }
    return made.next == nullptr ? std::nullopt : std::optional(made);
  }

  /// A factor of the product that is carried into this round.
  Value* carriedFactor(const Carried& product, unsigned index) {
    IRBuilder<> builder(product.choice);
    Type* type = product.next->operand(index)->getType();
    PHINode* made = builder.CreatePHI(type, 2);
    const Loop* loop = copies_->loopOf(*product.choice);
    for (BasicBlock* from : product.choice->blocks()) {
      const bool isNext = loop->contains(from);
      const Operation* source = isNext ? product.next : product.first;
      Value* factor = source == nullptr ? PoisonValue::get(type) : source->operand(index);
      builder.SetInsertPoint(from->getTerminator());
      if (source != nullptr && index == 0 &&
          (isNext ? product.nextSigns : product.firstSigns) % 2 != 0)
        factor = builder.CreateFNeg(factor);
      made->addIncoming(factor, from);
    }
    return made;
  }

  /// A sum of a loop that ptxas unrolled so that copies differ. Returns whether it is one.
  bool fuseInSomeRounds(Operation& sum) {
    const MachineArithmetic known = machineOf(sum);
    if (sum.isSmall() || !known.adds || !known.fuses)
      return false;
    if (copies_ == nullptr)
      copies_ = std::make_unique<LoopCopies>(function_);
    if (copies_->loopOf(*sum.at) == nullptr)
      return false;
    std::optional<unsigned> index;
    std::optional<Carried> before;
    for (const unsigned i : {0u, 1u}) {
      const Operation* here = product(sum, i);
      auto earlier = here == nullptr ? carried(sum, i) : std::nullopt;
      if (here == nullptr && !earlier)
        continue;
      if (index) // two products: nobody says which
        return false;
      index = i;
      before = earlier;
    }
    if (!index || (before && before->first == nullptr && known.sums.front().fuses))
      return false;
    Value* isFused = copies_->isFused(*sum.at, known.sums);
    if (isFused == nullptr)
      return false;
    unsigned signs = 0;
    Value* taken = behindSigns(sum.operand(*index), sum, signs);
    Value* factors[2];
    for (const unsigned i : {0u, 1u})
      factors[i] = before ? carriedFactor(*before, i) : operation(taken)->operand(i);
    IRBuilder<> builder(sum.at->getNextNode());
    Value* fused = fusedSum(builder, sum, *index, signs, factors);
    sum.fused.reset();
    auto* chosen = cast<llvm::Instruction>(builder.CreateSelect(isFused, fused, sum.at));
    sum.at->replaceUsesWithIf(chosen, [&](const Use& use) { return use.getUser() != chosen; });
    return true;
  }

  Value* negated(IRBuilder<>& builder, const Operation& like, Value* value) const {
    if (!like.isSmall())
      return builder.CreateFNeg(value);
    const APInt sign = APInt::getSignMask(16);
    return builder.CreateXor(
        value,
        ConstantInt::get(value->getType(), like.isPair() ? APInt::getSplat(32, sign) : sign));
  }

  Value* fusedCall(IRBuilder<>& builder, const Operation& sum, ArrayRef<Value*> operands) const {
    Type* type = sum.at->getType();
    if (!sum.isSmall())
      return sum.flushes ? builder.CreateIntrinsic(Intrinsic::nvvm_fma_rn_ftz_f, {}, operands)
                         : builder.CreateIntrinsic(Intrinsic::fma, {type}, operands);
    const std::string name = (smallPrefix + "fma." + sum.type + (sum.flushes ? ".ftz" : "") +
                              (sum.saturates ? ".sat" : ""))
                                 .str();
    return builder.CreateCall(sum.at->getModule()->getOrInsertFunction(
                                  name,
                                  cast<CallInst>(sum.at)->getCalledFunction()->getAttributes(),
                                  type, type, type, type),
                              operands);
  }

  /// A sum with the product in place of an operand that had so many changes of sign.
  Value* fusedSum(IRBuilder<>& builder, const Operation& sum, unsigned index, unsigned signs,
                  ArrayRef<Value*> factors) const {
    Value* other = sum.operand(1 - index);
    if (sum.kind == Kind::Difference && index == 0)
      other = negated(builder, sum, other);
    else if (sum.kind == Kind::Difference)
      ++signs;
    Value* factor = signs % 2 != 0 ? negated(builder, sum, factors[0]) : factors[0];
    return fusedCall(builder, sum, {factor, factors[1], other});
  }

  void fuse(Operation& sum, SmallVectorImpl<WeakTrackingVH>& left) const {
    const Operation& taken = *product(sum, *sum.fused);
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
  static llvm::Instruction* scaling(const Operation& inner, Value*& value) {
    value = inner.at;
    while (value->hasOneUse() && isa<BitCastInst>(*value->user_begin()))
      value = *value->user_begin();
    if (!value->hasOneUse())
      return nullptr;
    auto* user = cast<llvm::Instruction>(*value->user_begin());
    const StringRef name = calleeName(user);
    const bool isProduct = user->getOpcode() == llvm::Instruction::FMul ||
                           name == "llvm.nvvm.mul.rn.f" || name == "llvm.nvvm.mul.rn.ftz.f";
    return isProduct && user->getType()->isFloatTy() ? user : nullptr;
  }

  void scale(const Operation& inner) {
    Value* value = nullptr;
    llvm::Instruction* outer = inner.type == "f32" ? scaling(inner, value) : nullptr;
    if (outer == nullptr)
      return;
    const auto bits = bitsOf(outer->getOperand(outer->getOperand(0) == value ? 1 : 0));
    const StringRef scale = bits ? scaleNamed(*bits) : StringRef();
    if (scale.empty() || !isScaled(inner, *outer))
      return;
    const char* flush = calleeName(outer).contains("ftz") ? ".ftz" : "";
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

  bool isScaled(const Operation& inner, const llvm::Instruction& outer) const {
    const MachineArithmetic known = machineOf(inner);
    const Operation* marked = operation(&outer);
    const MachineArithmetic user = marked == nullptr ? MachineArithmetic{} : machineOf(*marked);
    if (known.multiplies || user.multiplies)
      return known.scales || user.scales;
    return inner.at->getParent() == outer.getParent();
  }

  llvm::Function& function_;
  bool isKernel_;
  const ArithmeticOfLines& machine_;
  std::map<const Value*, std::unique_ptr<Operation>> operations_;
  std::vector<Operation*> sums_; ///< in their order
  std::vector<WeakVH> products_;
  std::unique_ptr<LoopCopies> copies_;
  bool isCertain_ = true;
};

} // namespace

Value* fusable(const Form& form, Value* made) {
  auto* operation = dyn_cast<llvm::Instruction>(made); // or a constant
  if (operation == nullptr || !form.rounding().empty() || !kindNamed(form.instruction().opcode))
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

void fuseProducts(Module& module, const ArithmeticOfLines& machine) {
  const std::vector<llvm::Function*> kernels = ir::kernelsOf(module);
  for (llvm::Function& function : module) {
    const bool isKernel = is_contained(kernels, &function);
    Fusion fusion(function, isKernel, machine);
    fusion.run();
    if (machine.empty() || fusion.isCertain())
      continue;
    for (llvm::Function* kernel : kernels)
      if (!isKernel || kernel == &function)
        kernel->addFnAttr(roundsOtherwise);
  }
}

} // namespace heddle::ptx
