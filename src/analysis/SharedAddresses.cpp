// SPDX-License-Identifier: Apache-2.0
#include "analysis/SharedAddresses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::analysis {
namespace {

constexpr unsigned sharedNumber = 3, constantNumber = 4, localNumber = 5;

/// How a narrow index becomes a wide one.
enum class Extension { None, Sign, Zero };

struct Term {
  const llvm::Value* value = nullptr;
  Extension extension = Extension::None;
  std::int64_t scale = 0;

  auto operator<=>(const Term&) const = default;
};

struct Key {
  const llvm::Value* base = nullptr; ///< null for variables of shared memory, all at known places
  llvm::SmallVector<Term, 2> terms;

  bool operator<(const Key& other) const {
    if (base != other.base)
      return base < other.base;
    return std::ranges::lexicographical_compare(terms, other.terms);
  }
};

/// x of x + constant, where the sum wraps only if the extended sum does.
const llvm::Value* withoutConstant(const llvm::Value* value, Extension extension) {
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (sum == nullptr || !llvm::isa<llvm::ConstantInt>(sum->getOperand(1)))
    return value;
  if (sum->getOpcode() == llvm::Instruction::Or)
    return llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint() ? sum->getOperand(0) : value;
  if (sum->getOpcode() != llvm::Instruction::Add)
    return value;
  const bool keeps = extension == Extension::None ||
                     (extension == Extension::Sign && sum->hasNoSignedWrap()) ||
                     (extension == Extension::Zero && sum->hasNoUnsignedWrap());
  return keeps ? sum->getOperand(0) : value;
}

Term termOf(const llvm::Value* index, std::int64_t scale) {
  Term term{.value = withoutConstant(index, Extension::None), .scale = scale};
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(term.value)) {
    if (llvm::isa<llvm::SExtInst>(cast))
      term.extension = Extension::Sign;
    if (llvm::isa<llvm::ZExtInst>(cast))
      term.extension = Extension::Zero;
    if (term.extension != Extension::None)
      term.value = withoutConstant(cast->getOperand(0), term.extension);
  }
  return term;
}

Key keyOf(const llvm::GetElementPtrInst& address) {
  const llvm::DataLayout& layout = address.getModule()->getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt constant(bits, 0);
  Key key{.base = &address, .terms = {}};
  if (!llvm::cast<llvm::GEPOperator>(address).collectOffset(layout, bits, variable, constant))
    return key;
  key.base = address.getPointerOperand()->stripInBoundsConstantOffsets();
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(key.base);
      global != nullptr && global->getAddressSpace() == sharedNumber)
    key.base = nullptr;
  for (const auto& [index, scale] : variable)
    key.terms.push_back(termOf(index, scale.getSExtValue()));
  std::ranges::sort(key.terms);
  return key;
}

} // namespace

AddressSpace addressSpaceOf(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer);
  for (const llvm::Value* value : {&pointer, object})
    switch (value->getType()->getPointerAddressSpace()) {
    case sharedNumber:
      return AddressSpace::Shared;
    case constantNumber:
      return AddressSpace::Constant;
    case localNumber:
      return AddressSpace::Local;
    default:
      break;
    }
  return llvm::isa<llvm::AllocaInst>(object) ? AddressSpace::Local : AddressSpace::Global;
}

SharedAddresses::SharedAddresses(const llvm::Function& function) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
  std::map<Key, llvm::SmallVector<const llvm::GetElementPtrInst*, 2>> known;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal(&function))
    for (const llvm::Instruction& instruction : *block) {
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (address == nullptr || address->hasAllConstantIndices() ||
          address->getType()->isVectorTy())
        continue;
      const Key key = keyOf(*address);
      Entry& entry = entries_[address];
      entry.representative = address;
      if (key.base != address && key.base != nullptr)
        entry.parts.push_back(key.base);
      for (const Term& term : key.terms)
        entry.parts.push_back(term.value);
      if (key.base == address) {
        entry.parts.append(address->op_begin(), address->op_end());
        continue;
      }
      auto& alike = known[key];
      const auto earlier = llvm::find_if(
          alike, [&](const auto* other) { return dominators.dominates(other, address); });
      if (earlier != alike.end())
        entry.representative = *earlier;
      else
        alike.push_back(address);
    }
}

const llvm::GetElementPtrInst*
SharedAddresses::representative(const llvm::GetElementPtrInst& address) const {
  const auto found = entries_.find(&address);
  return found == entries_.end() ? &address : found->second.representative;
}

llvm::ArrayRef<const llvm::Value*>
SharedAddresses::parts(const llvm::GetElementPtrInst& address) const {
  const auto found = entries_.find(&address);
  return found == entries_.end() ? llvm::ArrayRef<const llvm::Value*>() : found->second.parts;
}

} // namespace heddle::analysis
