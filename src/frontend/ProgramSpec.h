// SPDX-License-Identifier: Apache-2.0
//
// What a program is made of: its source files, how each is compiled, and what is linked.
#pragma once

#include "frontend/CompilerFlags.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::frontend {

struct ProgramSpec {
  std::vector<std::string> files; ///< sources
  CompilerFlags flags;            ///< the linker's, and of the files that have none of their own
  std::map<std::string, CompilerFlags> own; ///< by file
  std::vector<std::string> objects;         ///< and libraries, which are linked as they are
  std::string root;                         ///< the project's folder; empty: as its files tell
  std::string executable; ///< whom the user knows as the program; empty: nobody yet

  const CompilerFlags& flagsOf(const std::string& file) const;
  bool isCuda(const std::string& file) const { return flagsOf(file).isCuda(file); }

  /// Changes the flags of all files.
  void changeFlags(const std::function<void(CompilerFlags&)>& change);

  /// Takes the file's text from elsewhere.
  void moveFile(std::size_t number, std::string to);
};

} // namespace heddle::frontend
