// SPDX-License-Identifier: Apache-2.0
#include "engine/HostTarget.h"

#include <llvm/TargetParser/Host.h>

namespace heddle::engine {

std::vector<std::string> hiddenFeatures(const llvm::Triple& architecture,
                                        const llvm::StringMap<bool>& offered) {
  std::vector<std::string> hidden;
  if (!architecture.isAArch64()) // elsewhere LLVM asks the processor for each feature
    return hidden;
  for (const char* name : {"lse", "sve", "sve2"})
    if (!offered.lookup(name))
      hidden.push_back(std::string("-") + name);
  return hidden;
}

Expected<llvm::orc::JITTargetMachineBuilder> hostTarget() {
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return fail(ErrorKind::Unsupported, "LLVM cannot compile for this processor: {}",
                llvm::toString(target.takeError()));
  target->addFeatures(hiddenFeatures(target->getTargetTriple(), llvm::sys::getHostCPUFeatures()));
  return *std::move(target);
}

} // namespace heddle::engine
