// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. the places where numbers become pointers
//   2. each number as a pointer: what it is a pointer of, if that can be told; else the number,
//      taken for a pointer as before
//   3. numbers that nobody needs any more are left to others to remove
#include "ptx/AddressForms.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// How sure it is that a number of a sum is the pointer, and the others are offsets.
int rankOf(const Value* value, int depth = 0) {
  constexpr int deepest = 16;
  if (isa<PtrToIntOperator>(value))
    return 4;
  if (isa<Argument>(value))
    return 3;
  if (isa<LoadInst>(value))
    return value->getType()->isIntegerTy(64) ? 2 : 0;
  const auto* operation = dyn_cast<BinaryOperator>(value);
  if (operation != nullptr && operation->getOpcode() == llvm::Instruction::Add && depth < deepest)
    return std::max(rankOf(operation->getOperand(0), depth + 1),
                    rankOf(operation->getOperand(1), depth + 1));
  return value->getType()->isIntegerTy(64) &&
                 isa<PHINode, SelectInst, CallInst, ExtractValueInst>(value)
             ? 1
             : 0;
}

/// A number times a constant: the elements that an index counts.
struct Index {
  Value* number = nullptr;
  std::uint64_t scale = 1;
};

Index indexOf(Value* offset) {
  const auto* operation = dyn_cast<BinaryOperator>(offset);
  const auto* factor =
      operation == nullptr ? nullptr : dyn_cast<ConstantInt>(operation->getOperand(1));
  if (factor == nullptr || !offset->getType()->isIntegerTy(64))
    return {offset, 1};
  const std::uint64_t value = factor->getZExtValue();
  if (operation->getOpcode() == llvm::Instruction::Mul && value > 0 && value <= 1 << 20)
    return {operation->getOperand(0), value};
  if (operation->getOpcode() == llvm::Instruction::Shl && value < 16)
    return {operation->getOperand(0), std::uint64_t{1} << value};
  return {offset, 1};
}

class Rewriter {
public:
  explicit Rewriter(llvm::Function& function) : function_(function) {}

  bool run() {
    // Step 1
    std::vector<IntToPtrInst*> casts;
    for (llvm::Instruction& instruction : instructions(function_))
      if (auto* cast = dyn_cast<IntToPtrInst>(&instruction))
        casts.push_back(cast);
    // Step 2
    bool changed = false;
    for (IntToPtrInst* cast : casts) {
      Value* number = cast->getOperand(0);
      if (auto* widened = dyn_cast<SExtInst>(number)) // a short address, of shared memory
        number = widened->getOperand(0);
      Value* pointer = pointerOf(number, cast->getAddressSpace());
      if (pointer == nullptr)
        continue;
      replace(*cast, pointer);
      changed = true;
    }
    return changed;
  }

private:
  /// Accesses take a pointer of any space; other users want the space they had.
  static void replace(IntToPtrInst& cast, Value* pointer) {
    if (pointer->getType() != cast.getType()) {
      IRBuilder<> builder(&cast);
      for (User* user : make_early_inc_range(cast.users()))
        moveAccess(*user, cast, pointer);
      if (!cast.use_empty())
        pointer = builder.CreateAddrSpaceCast(pointer, cast.getType());
    }
    cast.replaceAllUsesWith(pointer);
    cast.eraseFromParent();
  }

  static void moveAccess(User& user, Value& from, Value* to) {
    if (auto* load = dyn_cast<LoadInst>(&user))
      load->setOperand(LoadInst::getPointerOperandIndex(), to);
    else if (auto* store = dyn_cast<StoreInst>(&user);
             store != nullptr && store->getPointerOperand() == &from)
      store->setOperand(StoreInst::getPointerOperandIndex(), to);
    else if (auto* step = dyn_cast<GetElementPtrInst>(&user);
             step != nullptr && step->hasAllConstantIndices()) {
      IRBuilder<> builder(step);
      Value* moved = builder.CreateGEP(step->getSourceElementType(), to,
                                       SmallVector<Value*, 1>(step->indices()));
      for (User* inner : make_early_inc_range(step->users()))
        moveAccess(*inner, *step, moved);
    }
  }

  /// Whether a sum is used as an address only: as a pointer, or in a sum of which that is true.
  bool isOnlyAddress(const BinaryOperator& sum) {
    const auto [known, fresh] = onlyAddress_.try_emplace(&sum, false);
    if (!fresh)
      return known->second;
    const bool result = all_of(sum.users(), [&](const User* user) {
      const auto isPointer = [](const User* to) { return isa<IntToPtrInst>(to); };
      if (isPointer(user) || (isa<SExtInst>(user) && all_of(user->users(), isPointer)))
        return true;
      const auto* outer = dyn_cast<BinaryOperator>(user);
      return outer != nullptr && outer->getOpcode() == llvm::Instruction::Add &&
             baseOf(*outer) == &sum && isOnlyAddress(*outer);
    });
    return onlyAddress_[&sum] = result;
  }

  /// The operand of a sum that is the pointer; nothing where that cannot be told.
  static Value* baseOf(const BinaryOperator& sum) {
    Value* left = sum.getOperand(0);
    Value* right = sum.getOperand(1);
    const int first = rankOf(left);
    const int second = rankOf(right);
    if (first == second)
      return nullptr;
    return first > second ? left : right;
  }

  /// Nothing where a number is no more than a number.
  Value* pointerOf(Value* number, unsigned space) {
    if (auto* cast = dyn_cast<PtrToIntOperator>(number))
      return inSpace(cast->getPointerOperand(), space);
    auto* sum = dyn_cast<BinaryOperator>(number);
    if (sum == nullptr || sum->getOpcode() != llvm::Instruction::Add)
      return nullptr;
    Value* base = baseOf(*sum);
    if (base == nullptr || !isOnlyAddress(*sum))
      return nullptr;
    Value*& made = pointers_[{sum, space}];
    if (made == nullptr)
      made = makeSum(*sum, base, space);
    return made;
  }

  Value* makeSum(BinaryOperator& sum, Value* base, unsigned space) {
    Value* offset = sum.getOperand(base == sum.getOperand(0) ? 1 : 0);
    Value* pointer = pointerOf(base, space);
    IRBuilder<> builder(&sum);
    if (pointer == nullptr)
      pointer = builder.CreateIntToPtr(base, PointerType::get(sum.getContext(), space));
    const Index index = indexOf(offset);
    Type* element = index.scale <= 8 && isPowerOf2_64(index.scale)
                        ? cast<Type>(builder.getIntNTy(unsigned(index.scale) * 8))
                        : ArrayType::get(builder.getInt8Ty(), index.scale);
    Value* number = builder.CreateSExt(index.number, builder.getInt64Ty());
    return builder.CreateGEP(element, pointer, number);
  }

  /// Local variables have one space in LLVM and another in PTX: accesses to them take LLVM's.
  static Value* inSpace(Value* pointer, unsigned space) {
    if (pointer->getType()->getPointerAddressSpace() == space || isa<AllocaInst>(pointer))
      return pointer;
    if (auto* constant = dyn_cast<Constant>(pointer))
      return ConstantExpr::getAddrSpaceCast(constant,
                                            PointerType::get(pointer->getContext(), space));
    IRBuilder<> builder(pointer->getContext());
    if (auto* made = dyn_cast<llvm::Instruction>(pointer))
      builder.SetInsertPoint(*made->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&cast<Argument>(pointer)->getParent()->getEntryBlock(),
                             cast<Argument>(pointer)->getParent()->getEntryBlock().begin());
    return builder.CreateAddrSpaceCast(pointer, PointerType::get(pointer->getContext(), space));
  }

  llvm::Function& function_;
  DenseMap<const BinaryOperator*, bool> onlyAddress_;
  std::map<std::pair<BinaryOperator*, unsigned>, Value*> pointers_;
};

} // namespace

PreservedAnalyses AddressForms::run(llvm::Function& function, FunctionAnalysisManager&) {
  if (!Rewriter(function).run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace heddle::ptx
