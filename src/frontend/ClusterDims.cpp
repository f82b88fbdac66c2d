// SPDX-License-Identifier: Apache-2.0
#include "frontend/ClusterDims.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace heddle::frontend {
namespace {

constexpr const char* annotation = "heddle.cluster_dims"; ///< as host_defines.h has it

const llvm::Constant* valueOf(const llvm::Value* pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  return variable != nullptr && variable->hasInitializer() ? variable->getInitializer() : nullptr;
}

bool isOurs(const llvm::Value* pointer) {
  const auto* text = llvm::dyn_cast_or_null<llvm::ConstantDataArray>(valueOf(pointer));
  return text != nullptr && text->isCString() && text->getAsCString() == annotation;
}

/// Those that are not given are 1.
void addDims(llvm::Module& module, llvm::Function& kernel, const llvm::Constant& dims) {
  llvm::LLVMContext& context = module.getContext();
  llvm::NamedMDNode* all = module.getOrInsertNamedMetadata("nvvm.annotations");
  constexpr const char* names[] = {"cluster_dim_x", "cluster_dim_y", "cluster_dim_z"};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto* given = axis < dims.getNumOperands()
                            ? llvm::dyn_cast<llvm::ConstantInt>(dims.getOperand(axis))
                            : nullptr;
    llvm::Constant* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context),
                                                   given != nullptr ? given->getZExtValue() : 1);
    all->addOperand(llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(&kernel),
                                                llvm::MDString::get(context, names[axis]),
                                                llvm::ConstantAsMetadata::get(value)}));
  }
}

} // namespace

void readClusterDims(llvm::Module& module) {
  llvm::GlobalVariable* all = module.getGlobalVariable("llvm.global.annotations", true);
  if (all == nullptr)
    return;
  for (const llvm::Use& each : all->getInitializer()->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(each.get());
    if (entry == nullptr || entry->getNumOperands() < 5 || !isOurs(entry->getOperand(1)))
      continue;
    auto* kernel = llvm::dyn_cast<llvm::Function>(entry->getOperand(0)->stripPointerCasts());
    const llvm::Constant* dims = valueOf(entry->getOperand(4));
    if (kernel != nullptr && dims != nullptr)
      addDims(module, *kernel, *dims);
  }
  all->eraseFromParent();
}

} // namespace heddle::frontend
