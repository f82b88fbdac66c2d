// SPDX-License-Identifier: Apache-2.0
#include "engine/AddressGroups.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::engine {
namespace {

/// An address without its constant part, and what else must agree for one check to serve.
struct GroupKey {
  const llvm::Value* base = nullptr;
  std::vector<std::pair<const llvm::Value*, std::int64_t>> terms; ///< value x scale
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 0;
  bool sum = false; ///< may go elsewhere (PrivateSums.h)

  auto operator<=>(const GroupKey&) const = default;
};

/// Follows additions to a pointer as far as they are made in this block.
std::int64_t decompose(const llvm::Value* pointer, const llvm::BasicBlock& block,
                       const llvm::DataLayout& types, GroupKey& key) {
  std::int64_t offset = 0;
  std::map<const llvm::Value*, std::int64_t> terms;
  while (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    const auto* made = llvm::dyn_cast<llvm::Instruction>(address);
    if (made != nullptr && made->getParent() != &block)
      break;
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(types.getIndexTypeSizeInBits(address->getType()), 0);
    if (!address->collectOffset(types, constant.getBitWidth(), variable, constant))
      break;
    offset += constant.getSExtValue();
    for (const auto& [value, scale] : variable)
      terms[value] += scale.getSExtValue();
    pointer = address->getPointerOperand();
  }
  key.base = pointer;
  key.terms.assign(terms.begin(), terms.end());
  return offset;
}

} // namespace

MemoryOperand memoryOperand(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {const_cast<llvm::Value*>(load->getPointerOperand()), load->getType(), load->getAlign()};
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {const_cast<llvm::Value*>(store->getPointerOperand()),
            store->getValueOperand()->getType(), store->getAlign()};
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {const_cast<llvm::Value*>(atomic->getPointerOperand()), atomic->getType(),
            atomic->getAlign()};
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {const_cast<llvm::Value*>(exchange->getPointerOperand()),
            exchange->getNewValOperand()->getType(), exchange->getAlign()};
  return {};
}

bool isSum(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic != nullptr && atomic->use_empty() && !atomic->isVolatile() &&
         (atomic->getOperation() == llvm::AtomicRMWInst::Add ||
          atomic->getOperation() == llvm::AtomicRMWInst::Sub) &&
         (atomic->getType()->isIntegerTy(32) || atomic->getType()->isIntegerTy(64));
}

bool isLaterSum(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic != nullptr && atomic->use_empty() && !atomic->isVolatile() &&
         (atomic->getOperation() == llvm::AtomicRMWInst::FAdd ||
          atomic->getOperation() == llvm::AtomicRMWInst::FSub) &&
         (atomic->getType()->isFloatTy() || atomic->getType()->isDoubleTy());
}

AddressGroups::AddressGroups(const llvm::BasicBlock& block, const llvm::DataLayout& types) {
  std::map<GroupKey, std::size_t> numbers;
  for (const llvm::Instruction& instruction : block) {
    const MemoryOperand operand = memoryOperand(instruction);
    if (operand.pointer == nullptr)
      continue;
    GroupKey key;
    key.bytes = types.getTypeStoreSize(operand.type);
    key.alignment = operand.alignment.value();
    key.sum = isSum(instruction) || isLaterSum(instruction);
    const std::int64_t offset = decompose(operand.pointer, block, types, key);
    const std::int64_t end = offset + std::int64_t(key.bytes);
    const auto [found, fresh] = numbers.emplace(key, groups_.size());
    if (fresh)
      groups_.push_back({offset, end});
    AddressGroup& group = groups_[found->second];
    group.least = std::min(group.least, offset);
    group.end = std::max(group.end, end);
    members_[&instruction] = {found->second, offset};
  }
}

} // namespace heddle::engine
