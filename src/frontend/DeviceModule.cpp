// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceModule.h"

#include "frontend/ClusterDims.h"

#include "ir/Kernels.h"
#include "ptx/InlinePtx.h"
#include "ptx/ReadPtx.h"
#include "support/NearestName.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace heddle::frontend {

namespace {

/// The text in a buffer of the demangler's, which frees it.
std::string taken(char* buffer) {
  const std::unique_ptr<char, decltype(&std::free)> owner(buffer, &std::free);
  return buffer != nullptr ? buffer : "";
}

std::string withoutTemplateArguments(std::string_view name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    depth += c == '<' ? 1 : 0;
    if (depth == 0)
      result += c;
    depth -= c == '>' ? 1 : 0;
  }
  return result;
}

std::string withoutUnnamed(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  return name;
}

std::string withoutSpaces(std::string_view name) {
  std::string result(name);
  std::erase(result, ' ');
  return result;
}

/// "a::b::", or nothing.
std::string scopeOf(llvm::ItaniumPartialDemangler& demangled) {
  const std::string scope = taken(demangled.getFunctionDeclContextName(nullptr, nullptr));
  return scope.empty() ? "" : scope + "::";
}

/// The plain names of kernels where they differ, else the symbols.
std::vector<std::string> toldApart(const std::vector<std::string>& symbols) {
  std::vector<std::string> names;
  for (const std::string& symbol : symbols) {
    names.push_back(plainKernelName(symbol));
    if (std::ranges::count(names, names.back()) > 1)
      return symbols;
  }
  return names;
}

} // namespace

std::string plainFunctionName(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangled; // "void (anonymous namespace)::transform<float>(float*)"
  if (demangled.partialDemangle(symbol.c_str()) || !demangled.isFunction())
    return symbol;
  const std::string base = taken(demangled.getFunctionBaseName(nullptr, nullptr));
  const std::string scope = scopeOf(demangled);
  return withoutTemplateArguments(withoutUnnamed(scope)) + base;
}

std::string plainKernelName(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangled;
  if (demangled.partialDemangle(symbol.c_str()) || !demangled.isFunction())
    return symbol;
  const std::string whole = taken(demangled.getFunctionName(nullptr, nullptr));
  const std::string scope = scopeOf(demangled);
  if (!whole.starts_with(scope))
    return plainFunctionName(symbol);
  return withoutTemplateArguments(withoutUnnamed(scope)) +
         withoutUnnamed(whole.substr(scope.size()));
}

bool isNameOf(std::string_view name, const std::string& symbol) {
  return name == symbol || name == plainFunctionName(symbol) ||
         withoutSpaces(name) == withoutSpaces(plainKernelName(symbol));
}

Expected<DeviceModule> parseDeviceModule(std::string_view text, const std::string& origin,
                                         llvm::orc::ThreadSafeContext context) {
  DeviceModule result;
  result.context = context.getContext() != nullptr
                       ? std::move(context)
                       : llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>());
  if (ptx::isPtx(text) || origin.ends_with(".ptx")) {
    HEDDLE_TRY(result.module, ptx::readPtx(text, origin, *result.context.getContext()));
    result.ptx = text;
    return result;
  }
  llvm::SMDiagnostic diagnostic;
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, origin);
  result.module =
      llvm::parseIR(buffer->getMemBufferRef(), diagnostic, *result.context.getContext());
  if (!result.module)
    return fail(ErrorKind::BadInput, "{} is no LLVM IR: {}", origin, diagnostic.getMessage().str());
  readClusterDims(*result.module);
  ptx::lowerInlinePtx(*result.module);
  return result;
}

std::vector<std::string> kernelNames(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::Function* kernel : ir::kernelsOf(module))
    names.push_back(kernel->getName().str());
  return names;
}

Expected<llvm::Function*> findKernel(llvm::Module& module, const std::string& name) {
  const std::vector<llvm::Function*> kernels = ir::kernelsOf(module);
  for (llvm::Function* kernel : kernels) // the runtime's way: no name is taken apart
    if (kernel->getName() == name)
      return kernel;
  std::vector<std::string> plain, matches, whole;
  for (const llvm::Function* kernel : kernels) {
    const std::string symbol = kernel->getName().str();
    plain.push_back(plainKernelName(symbol));
    if (isNameOf(name, symbol))
      matches.push_back(symbol);
    if (withoutSpaces(plain.back()) == withoutSpaces(name))
      whole.push_back(symbol);
  }
  if (whole.size() == 1)
    return module.getFunction(whole.front());
  if (matches.size() == 1)
    return module.getFunction(matches.front());
  if (matches.size() > 1)
    return fail(ErrorKind::NotFound, "several kernels are called '{}'; name one of {}", name,
                fmt::join(toldApart(matches), ", "));
  if (kernels.empty())
    return fail(ErrorKind::NotFound, "no kernel '{}': there are no kernels here", name);
  return fail(ErrorKind::NotFound, "no kernel '{}'{} (there are: {})", name,
              didYouMean(name, plain), fmt::join(plain, ", "));
}

} // namespace heddle::frontend
