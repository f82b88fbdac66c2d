// SPDX-License-Identifier: Apache-2.0
//
// The operands in which two arms differ, as text: those that nothing in the arms changes, and that
// are used again and again, get a name in front; the others are chosen in place.
//
//   const auto table = first ? a : b;
//   x = table[i] * (first ? x : y);
#pragma once

#include "rewrite/arms/ArmMatch.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::rewrite {

/// What two arms do, and the function that they are in.
struct ArmEffects {
  ArmEffects(const clang::Stmt& first, const clang::Stmt& other, const clang::Stmt& function);

  /// Whether a variable of the thread has the same value all through the arms.
  bool keep(const clang::VarDecl& variable) const;

  Effects first, other;
  Effects both;  ///< what they change, store and declare
  Effects whole; ///< of the function
};

class Operands {
public:
  Operands(const Source& source, std::vector<Choice> choices, ArmEffects effects);

  /// Whether their text may stand in the first arm. Refuses with: macro-in-the-way, arms-differ.
  Legal<void> check() const;
  const std::vector<Choice>& choices() const { return choices_; }
  const ArmEffects& effects() const { return effects_; }
  std::size_t kinds() const { return uses_.size(); } ///< different ones
  bool isHoisted(const Choice& choice) const;
  /// Edits of the first arm; declarations for in front of both are added to `front`.
  Edits choose(const std::string& condition, FreshNames& names, std::vector<std::string>& front);

private:
  std::string keyOf(const Choice& choice) const;

  const Source& source_;
  std::vector<Choice> choices_;
  ArmEffects effects_;
  std::map<std::string, int> uses_; ///< of a choice's text
};

} // namespace heddle::rewrite
