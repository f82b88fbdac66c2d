// SPDX-License-Identifier: Apache-2.0
#include "analysis/LaunchBounds.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

void apply(LaunchBounds& bounds, llvm::StringRef name, int value) {
  if (name.starts_with("maxntid")) // one each for x, y and z
    bounds.threads = std::max(bounds.threads, 1) * value;
  else if (name == "minctasm")
    bounds.blocks = value;
  else if (name == "maxnreg")
    bounds.registers = value;
  else if (name.starts_with("cluster_dim_")) // x, y or z
    bounds.cluster[std::size_t(name.back() - 'x')] = value;
}

} // namespace

LaunchBounds launchBoundsOf(const llvm::Function& kernel) {
  LaunchBounds bounds;
  const llvm::NamedMDNode* annotations = kernel.getParent()->getNamedMetadata("nvvm.annotations");
  if (annotations == nullptr)
    return bounds;
  for (const llvm::MDNode* node : annotations->operands()) {
    if (node->getNumOperands() == 0 ||
        llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) != &kernel)
      continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
      const auto* name = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i));
      const auto* value =
          llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(i + 1));
      if (name != nullptr && value != nullptr)
        apply(bounds, name->getString(), static_cast<int>(value->getZExtValue()));
    }
  }
  return bounds;
}

} // namespace heddle::analysis
