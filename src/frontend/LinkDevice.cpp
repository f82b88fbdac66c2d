// SPDX-License-Identifier: Apache-2.0
#include "frontend/LinkDevice.h"

#include "frontend/DeviceSymbols.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/Linker/Linker.h>

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

/// The engine's own: see BlockCompilerCalls.cpp.
bool isEngines(llvm::StringRef name) {
  static constexpr std::array<std::string_view, 4> exact = {"vprintf", "malloc", "free",
                                                            "__assertfail"};
  return std::ranges::find(exact, std::string_view(name)) != exact.end() ||
         name.starts_with("__nv_") || name.starts_with("__cudaCDP2") ||
         name.starts_with("heddle") || name.starts_with("llvm.");
}

bool isStrong(const llvm::GlobalValue& value) {
  return !value.isDeclaration() && value.hasExternalLinkage();
}

std::optional<std::string> definedTwice(const llvm::Module& one, const llvm::Module& other) {
  for (const llvm::GlobalValue& value : other.global_values())
    if (const llvm::GlobalValue* known = one.getNamedValue(value.getName());
        isStrong(value) && known != nullptr && isStrong(*known))
      return llvm::demangle(value.getName().str());
  return {};
}

/// Clang makes static variables that the host uses visible, and marks their names.
bool isOfOneFile(const llvm::GlobalValue& value) {
  const std::string name = value.getName().str();
  return value.hasLocalLinkage() || (llvm::isa<llvm::GlobalVariable>(value) &&
                                     !value.isDeclaration() && withoutStaticMark(name) != name);
}

void nameByFile(llvm::Module& module, std::size_t file) {
  for (llvm::GlobalValue& value : module.global_values())
    if (isOfOneFile(value) && !value.getName().starts_with("llvm."))
      value.setName(nameInFile(value.getName(), file));
}

} // namespace

bool needsOtherFiles(const llvm::Module& module) {
  return std::ranges::any_of(module.global_objects(), [](const llvm::GlobalObject& object) {
    return object.isDeclaration() && !object.use_empty() && !isEngines(object.getName());
  });
}

std::string nameInFile(std::string_view symbol, std::size_t file) {
  return fmt::format("{}.file{}", symbol, file);
}

Expected<DeviceModule> linkDeviceCode(const std::vector<std::string_view>& texts) {
  DeviceModule all;
  for (std::size_t file = 0; file < texts.size(); ++file) {
    HEDDLE_TRY(DeviceModule next,
               parseDeviceModule(texts[file], "the program's device code", all.context));
    nameByFile(*next.module, file);
    if (!all.module) {
      all = std::move(next);
      continue;
    }
    if (const auto name = definedTwice(*all.module, *next.module))
      return fail(ErrorKind::BadInput, "two files of the program define '{}' for the device",
                  *name);
    if (llvm::Linker::linkModules(*all.module, std::move(next.module)))
      return fail(ErrorKind::BadInput, "the program's device code does not link");
  }
  return all;
}

} // namespace heddle::frontend
