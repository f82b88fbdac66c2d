// SPDX-License-Identifier: Apache-2.0
#include "frontend/HostStubs.h"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <charconv>

namespace heddle::frontend {

std::string kernelOfStub(std::string_view symbol) {
  constexpr std::string_view mark = "__device_stub__";
  const std::size_t at = symbol.find(mark);
  if (at == std::string_view::npos)
    return "";
  const std::string_view before = symbol.substr(0, at), after = symbol.substr(at + mark.size());
  const std::size_t digits = before.find_last_not_of("0123456789") + 1;
  std::size_t length = 0; // of the name in C++: the mark is a part of it
  std::from_chars(before.data() + digits, before.data() + before.size(), length);
  if (digits == before.size())
    return std::string(before) + std::string(after);
  if (length <= mark.size())
    return "";
  return std::string(before.substr(0, digits)) + std::to_string(length - mark.size()) +
         std::string(after);
}

std::vector<std::string> launchedKernels(std::string_view object) {
  std::vector<std::string> kernels;
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return kernels;
  }
  for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags ? llvm::Error::success() : flags.takeError());
      llvm::consumeError(name ? llvm::Error::success() : name.takeError());
      continue;
    }
    const bool isShared = (*flags & llvm::object::SymbolRef::SF_Global) != 0 &&
                          (*flags & llvm::object::SymbolRef::SF_Undefined) == 0;
    if (std::string kernel = kernelOfStub(*name); isShared && !kernel.empty())
      kernels.push_back(std::move(kernel));
  }
  std::ranges::sort(kernels);
  return kernels;
}

} // namespace heddle::frontend
