// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceSymbols.h"

#include "frontend/DeviceModule.h"

#include <llvm/Demangle/Demangle.h>

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
    if (!object.isDeclaration() && !object.hasLocalLinkage())
      symbols.defined.insert(name);
    else if (object.isDeclaration() && !object.use_empty())
      symbols.undefined.insert(name);
  }
  return symbols;
}

Expected<void> refuseCallsAcrossFiles(const std::vector<DeviceSymbols>& files) {
  for (const DeviceSymbols& user : files)
    for (const std::string& name : user.undefined)
      for (const DeviceSymbols& owner : files)
        if (owner.defined.contains(name))
          return fail(ErrorKind::Unsupported,
                      "device code of {} uses '{}' of {}: device code across files (-rdc=true) is "
                      "not supported yet",
                      user.file, llvm::demangle(name), owner.file);
  return {};
}

} // namespace heddle::frontend
