// SPDX-License-Identifier: Apache-2.0
#include "frontend/SharedVariables.h"

#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/Binary.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::frontend {

Expected<std::string> withSharedVariables(std::string object, const std::set<std::string>& names) {
  if (names.empty())
    return object;
  const auto refuse = [](llvm::Error error) {
    return fail(ErrorKind::Io, "cannot change an object of the compiler: {}",
                llvm::toString(std::move(error)));
  };
  auto binary = llvm::object::createBinary(llvm::MemoryBufferRef(object, "object"));
  if (!binary)
    return refuse(binary.takeError());
  llvm::objcopy::ConfigManager config;
  for (const std::string& name : names) {
    auto pattern = llvm::objcopy::NameOrPattern::create(name, llvm::objcopy::MatchStyle::Literal,
                                                        [](llvm::Error error) { return error; });
    if (!pattern)
      return refuse(pattern.takeError());
    if (auto error = config.Common.SymbolsToGlobalize.addMatcher(std::move(pattern)))
      return refuse(std::move(error));
  }
  llvm::SmallVector<char, 0> changed;
  llvm::raw_svector_ostream out(changed);
  if (auto error = llvm::objcopy::executeObjcopyOnBinary(config, **binary, out))
    return refuse(std::move(error));
  return std::string(changed.data(), changed.size());
}

} // namespace heddle::frontend
