// SPDX-License-Identifier: Apache-2.0
#include "analysis/SourceSite.h"

#include "frontend/DeviceModule.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/Path.h>

#include <filesystem>

namespace heddle::analysis {
namespace {

/// A file as a person in the current folder would name it. Clang keeps the path in two pieces and
/// cuts it where it likes.
std::string fileName(const llvm::DILocation& where) {
  namespace fs = std::filesystem;
  const fs::path file = where.getFilename().str();
  if (file.is_absolute() || file.empty())
    return file.string();
  const fs::path whole = (fs::path(where.getDirectory().str()) / file).lexically_normal();
  std::error_code ignored;
  const fs::path relative = whole.lexically_relative(fs::current_path(ignored));
  return relative.empty() || *relative.begin() == ".." ? whole.string() : relative.string();
}

profile::SourceLocation locationOf(const llvm::DILocation& where) {
  return {fileName(where), int(where.getLine()), int(where.getColumn())};
}

/// Headers that stand for the toolkit's: a person means the line that uses them.
bool isToolkitHeader(llvm::StringRef file) {
  const llvm::StringRef name = llvm::sys::path::filename(file);
  return name.starts_with("__clang_cuda") || name.starts_with("heddle_") ||
         name == "sm_70_rt.hpp" || file.contains("/cuda_wrappers/");
}

std::string functionOf(const llvm::DILocation& where) {
  const llvm::DISubprogram* subprogram = where.getScope()->getSubprogram();
  if (subprogram == nullptr)
    return "";
  const llvm::StringRef symbol = subprogram->getLinkageName();
  return frontend::plainFunctionName(symbol.empty() ? subprogram->getName().str() : symbol.str());
}

} // namespace

profile::Site siteOf(const llvm::Instruction& instruction) {
  profile::Site site;
  const llvm::DILocation* where = instruction.getDebugLoc();
  if (where == nullptr) {
    site.function = frontend::plainFunctionName(instruction.getFunction()->getName().str());
    return site;
  }
  while (where->getInlinedAt() != nullptr && isToolkitHeader(where->getFilename()))
    where = where->getInlinedAt();
  site.where = locationOf(*where);
  site.function = functionOf(*where);
  for (const llvm::DILocation* call = where->getInlinedAt(); call != nullptr;
       call = call->getInlinedAt())
    site.inlinedAt.push_back(locationOf(*call));
  return site;
}

bool isInToolkitHeader(const llvm::Instruction& instruction) {
  const llvm::DILocation* where = instruction.getDebugLoc();
  return where != nullptr && isToolkitHeader(where->getFilename());
}

} // namespace heddle::analysis
