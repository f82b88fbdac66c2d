// SPDX-License-Identifier: Apache-2.0
#include "frontend/CaptureLayout.h"

#include "frontend/DeviceModule.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace heddle::frontend {
namespace {

/// Bytes of a type that hold something. Structs inside it count whole: both compilers lay them out
/// by the same rules.
std::vector<bool> usedBytes(llvm::Type& type, const llvm::DataLayout& layout) {
  constexpr std::uint64_t mostPadding = 7;
  std::vector<bool> used(layout.getTypeAllocSize(&type), false);
  auto* closure = llvm::dyn_cast<llvm::StructType>(&type);
  if (closure == nullptr)
    return std::vector<bool>(used.size(), true);
  const llvm::StructLayout& places = *layout.getStructLayout(closure);
  for (unsigned i = 0; i < closure->getNumElements(); ++i) {
    const auto* array = llvm::dyn_cast<llvm::ArrayType>(closure->getElementType(i));
    // Padding at the end is written out: <{ ptr, i32, [4 x i8] }>
    if (array != nullptr && array->getElementType()->isIntegerTy(8) &&
        array->getNumElements() <= mostPadding)
      continue;
    const std::uint64_t begin = places.getElementOffset(i);
    const std::uint64_t size = layout.getTypeStoreSize(closure->getElementType(i));
    for (std::uint64_t byte = begin; byte < begin + size; ++byte)
      used[byte] = true;
  }
  return used;
}

/// Whether all that is loaded through a pointer to an argument, at places that are known, holds
/// something.
bool readsOnly(const llvm::Value& pointer, std::uint64_t offset, const std::vector<bool>& used,
               const llvm::DataLayout& layout) {
  for (const llvm::User* user : pointer.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      const std::uint64_t end = offset + layout.getTypeStoreSize(load->getType());
      for (std::uint64_t byte = offset; byte < end; ++byte)
        if (byte >= used.size() || !used[byte])
          return false;
    } else if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      llvm::APInt more(layout.getIndexTypeSizeInBits(step->getType()), 0);
      if (step->accumulateConstantOffset(layout, more) &&
          !readsOnly(*step, offset + more.getZExtValue(), used, layout))
        return false;
    } else if (llvm::isa<llvm::AddrSpaceCastOperator, llvm::BitCastOperator>(user) &&
               !readsOnly(*user, offset, used, layout)) {
      return false;
    }
  }
  return true;
}

bool agree(const llvm::Function& byNvcc, const llvm::Function& byClang) {
  const llvm::DataLayout& layout = byClang.getParent()->getDataLayout();
  if (byNvcc.arg_size() != byClang.arg_size())
    return false;
  for (unsigned i = 0; i < byNvcc.arg_size(); ++i) {
    llvm::Type* ofNvcc = byNvcc.getParamByValType(i);
    llvm::Type* ofClang = byClang.getParamByValType(i);
    if (ofNvcc == nullptr || ofClang == nullptr)
      continue;
    const llvm::DataLayout& theirs = byNvcc.getParent()->getDataLayout();
    if (theirs.getTypeAllocSize(ofNvcc) != layout.getTypeAllocSize(ofClang) ||
        !readsOnly(*byNvcc.getArg(i), 0, usedBytes(*ofClang, layout), theirs))
      return false;
  }
  return true;
}

} // namespace

bool takesLambda(const std::string& kernel) {
  return kernel.find("Ul") != std::string::npos &&
         llvm::demangle(kernel).find("'lambda") != std::string::npos;
}

std::vector<std::string> laidOutOtherwise(const llvm::Module& byNvcc, const llvm::Module& byClang) {
  std::vector<std::string> kernels;
  for (const std::string& symbol : kernelNames(byNvcc)) {
    const llvm::Function* ofClang = byClang.getFunction(symbol);
    if (takesLambda(symbol) && ofClang != nullptr && !ofClang->isDeclaration() &&
        !agree(*byNvcc.getFunction(symbol), *ofClang))
      kernels.push_back(symbol);
  }
  return kernels;
}

} // namespace heddle::frontend
