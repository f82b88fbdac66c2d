// SPDX-License-Identifier: Apache-2.0
//
// One instruction with its words taken apart: `ld.volatile.global.v2.f32` has the modifiers
// volatile, global and v2, and the type f32.
#pragma once

#include "ptx/Syntax.h"

namespace heddle::ptx {

inline constexpr ScalarType word{'u', 32};
inline constexpr ScalarType truth{'p', 1};

class Form {
public:
  explicit Form(const Instruction& instruction);

  const Instruction& instruction() const { return *instruction_; }
  const std::vector<std::string_view>& modifiers() const { return modifiers_; }
  const std::vector<ScalarType>& types() const { return types_; }
  bool has(std::string_view modifier) const;
  /// The first of some words that is there; empty where none is.
  std::string_view oneOf(std::initializer_list<std::string_view> words) const;

  /// The last type; none where the instruction has no type.
  ScalarType type() const { return types_.empty() ? ScalarType{} : types_.back(); }
  std::size_t size() const { return instruction_->operands.size(); }
  const Operand& operand(std::size_t index) const { return instruction_->operands[index]; }

  /// rn, rz, rm, rp; empty where none is given.
  std::string_view rounding() const { return oneOf({"rn", "rz", "rm", "rp"}); }
  /// Operands without the one that only says which cache to use.
  std::size_t sizeWithoutHint() const { return size() - (has("L2::cache_hint") ? 1 : 0); }
  /// 1, or 2, 4, 8 of .v2, .v4, .v8.
  unsigned elements() const;
  Space space() const;

  /// As it was written: add.s32
  std::string text() const;

private:
  const Instruction* instruction_;
  std::vector<std::string_view> modifiers_;
  std::vector<ScalarType> types_;
};

} // namespace heddle::ptx
