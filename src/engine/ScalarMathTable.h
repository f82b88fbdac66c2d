// SPDX-License-Identifier: Apache-2.0
//
// What the parts of ScalarMath share: the shape of a table entry.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <span>

namespace heddle::engine {

struct ScalarEntry {
  /// Of a function in the form the table says it has: picks one of C++'s overloads.
  template <class Result, class... Arguments>
  ScalarEntry(llvm::StringLiteral name, Result (*function)(Arguments...))
      : name(name), address(reinterpret_cast<void*>(function)) {}

  llvm::StringLiteral name;
  void* address;
};

std::span<const ScalarEntry> libraryMath();  ///< ScalarMath.cpp
std::span<const ScalarEntry> specialMath();  ///< ScalarMathSpecial.cpp
std::span<const ScalarEntry> directedMath(); ///< ScalarMathRounding.cpp

} // namespace heddle::engine
