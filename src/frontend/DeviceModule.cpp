// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceModule.h"

#include "support/NearestName.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>

namespace heddle::frontend {

std::string plainKernelName(const std::string& symbol) {
  std::string name = llvm::demangle(symbol); // "void transform<float, 32>(float*, int)"
  name = name.substr(0, name.find_first_of("(<"));
  return name.substr(name.rfind(' ') + 1);
}

Expected<DeviceModule> parseDeviceModule(std::string_view text, const std::string& origin) {
  DeviceModule result;
  result.context = llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>());
  llvm::SMDiagnostic diagnostic;
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, origin);
  result.module =
      llvm::parseIR(buffer->getMemBufferRef(), diagnostic, *result.context.getContext());
  if (!result.module)
    return fail(ErrorKind::BadInput, "{} is no LLVM IR: {}", origin, diagnostic.getMessage().str());
  return result;
}

std::vector<std::string> kernelNames(const llvm::Module& module) {
  std::vector<std::string> names;
  const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
  if (annotations == nullptr)
    return names;
  for (const llvm::MDNode* node : annotations->operands()) {
    const bool isKernel = node->getNumOperands() >= 2 &&
                          llvm::isa<llvm::MDString>(node->getOperand(1)) &&
                          llvm::cast<llvm::MDString>(node->getOperand(1))->getString() == "kernel";
    const auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
    if (isKernel && function != nullptr)
      names.push_back(function->getName().str());
  }
  return names;
}

Expected<llvm::Function*> findKernel(llvm::Module& module, const std::string& name) {
  const std::vector<std::string> symbols = kernelNames(module);
  std::vector<std::string> plain, matches;
  for (const std::string& symbol : symbols) {
    if (symbol == name)
      return module.getFunction(symbol);
    plain.push_back(plainKernelName(symbol));
    if (plain.back() == name)
      matches.push_back(symbol);
  }
  if (matches.size() == 1)
    return module.getFunction(matches.front());
  if (matches.size() > 1)
    return fail(ErrorKind::NotFound, "several kernels are called '{}'; name one of {}", name,
                fmt::join(matches, ", "));
  if (symbols.empty())
    return fail(ErrorKind::NotFound, "no kernel '{}': there are no kernels here", name);
  return fail(ErrorKind::NotFound, "no kernel '{}'{} (there are: {})", name,
              didYouMean(name, plain), fmt::join(plain, ", "));
}

} // namespace heddle::frontend
