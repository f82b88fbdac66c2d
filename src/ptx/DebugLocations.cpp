// SPDX-License-Identifier: Apache-2.0
#include "ptx/DebugLocations.h"

#include "ptx/SourceLines.h"
#include "ptx/Symbols.h"

namespace heddle::ptx {

DebugLocations::DebugLocations(const File& file, llvm::Module& module, const std::string& origin)
    : file_(file), context_(module.getContext()), builder_(module) {
  const auto [name, folder] = namedFromHere(origin);
  origin_ = builder_.createFile(name, folder);
  llvm::DIFile* main = file.files.empty() ? origin_ : fileOf(file.files.begin()->first);
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus, main, "heddle", true, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

llvm::DIFile* DebugLocations::fileOf(unsigned number) {
  llvm::DIFile*& made = files_[number];
  if (made == nullptr) {
    const auto found = file_.files.find(number);
    const auto [name, folder] =
        namedFromHere(found == file_.files.end() ? std::string() : std::string(found->second));
    made = builder_.createFile(name, folder);
  }
  return made;
}

llvm::DISubprogram* DebugLocations::describe(const std::string& symbol, llvm::DIFile* file,
                                             unsigned line) {
  auto* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  return builder_.createFunction(
      file, symbol, symbol, file, line, type, line, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
}

void DebugLocations::begin(const Function& source, llvm::Function& function) {
  seen_.clear();
  const Location* first = nullptr;
  for (const Statement& statement : source.body)
    if (const auto* location = std::get_if<Location>(&statement);
        location != nullptr && location->line != 0 && location->function.empty()) {
      first = location;
      break;
    }
  currentFile_ = first != nullptr ? first->file : 0;
  current_ = describe(function.getName().str(), first != nullptr ? fileOf(first->file) : origin_,
                      first != nullptr ? first->line : source.line);
  function.setSubprogram(current_);
}

llvm::DISubprogram* DebugLocations::inlined(std::string_view label, unsigned file, unsigned line) {
  llvm::DISubprogram*& made = inlined_[{label, file}];
  if (made == nullptr) {
    const auto text = file_.texts.find(label);
    made =
        describe(commonName(text == file_.texts.end() ? label : text->second), fileOf(file), line);
  }
  return made;
}

llvm::DIScope* DebugLocations::scopeIn(unsigned file) {
  return file == currentFile_ ? static_cast<llvm::DIScope*>(current_)
                              : builder_.createLexicalBlockFile(current_, fileOf(file));
}

/// The call that a line was inlined at is the place of a .loc in front of it, which may itself be
/// of a function that was inlined.
llvm::DILocation* DebugLocations::at(const Location& location) {
  llvm::DILocation* made = nullptr;
  if (location.function.empty()) {
    made = llvm::DILocation::get(context_, location.line, location.column, scopeIn(location.file));
  } else {
    const Place call = {location.atFile, location.atLine, location.atColumn};
    const auto known = seen_.find(call);
    llvm::DILocation* from =
        known != seen_.end() ? known->second
                             : llvm::DILocation::get(context_, call[1], call[2], scopeIn(call[0]));
    made = llvm::DILocation::get(context_, location.line, location.column,
                                 inlined(location.function, location.file, location.line), from);
  }
  seen_[{location.file, location.line, location.column}] = made;
  return made;
}

llvm::DILocation* DebugLocations::atPtxLine(unsigned line) {
  return llvm::DILocation::get(context_, line, 1, current_);
}

} // namespace heddle::ptx
