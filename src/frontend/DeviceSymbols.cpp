// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceSymbols.h"

#include "frontend/DeviceModule.h"

#include <charconv>

namespace heddle::frontend {

Expected<DeviceSymbols> findDeviceSymbols(std::string_view bitcode, const std::string& file) {
  HEDDLE_TRY(const DeviceModule module, parseDeviceModule(bitcode, file));
  DeviceSymbols symbols;
  symbols.file = file;
  symbols.kernels = kernelNames(*module.module);
  for (const llvm::GlobalObject& object : module.module->global_objects()) {
    const std::string name = object.getName().str();
    if (name.starts_with("llvm."))
      continue;
    if (object.isDeclaration() && !object.use_empty())
      symbols.undefined.insert(name);
    if (llvm::isa<llvm::GlobalVariable>(object) && !object.isDeclaration() &&
        !object.hasLocalLinkage() && withoutStaticMark(name) == name)
      symbols.variables.insert(name);
  }
  return symbols;
}

std::string withoutStaticMark(const std::string& symbol) {
  const bool isNested = symbol.starts_with("_ZN");
  std::size_t at = isNested ? 3 : 2;
  if (!symbol.starts_with("_Z"))
    return symbol;
  while (at < symbol.size() && symbol[at] != 'L') { // over names, each with its length in front
    std::size_t size = 0;
    const auto [end, error] =
        std::from_chars(symbol.data() + at, symbol.data() + symbol.size(), size);
    if (error != std::errc())
      return symbol;
    at = std::size_t(end - symbol.data()) + size;
  }
  if (at >= symbol.size())
    return symbol;
  if (isNested)
    return symbol.substr(0, at) + symbol.substr(at + 1);
  return symbol.substr(std::min(symbol.find_first_not_of("0123456789", at + 1), symbol.size()));
}

} // namespace heddle::frontend
