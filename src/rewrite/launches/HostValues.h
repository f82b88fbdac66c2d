// SPDX-License-Identifier: Apache-2.0
//
// What the text of the host's code proves about values: numbers that are the same in every run, and
// variables that keep what they were set to.
//
//   const int threads = 48;                          48
//   dim3 block(4, 4);                                block.y is 4, if nothing changes block
//   int blocks = (n + threads - 1) / threads;        n in pieces of 48
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace heddle::rewrite {

bool isDim3(clang::QualType type);
/// Whether both are the same computation of the same variables.
bool isSameText(const clang::ASTContext& ast, const clang::Expr& one, const clang::Expr& other);
/// An object or number without what a compiler puts around it to make, copy or convert a dim3.
const clang::Expr& withoutCopies(const clang::Expr& value);

/// By axis; nullptr: it is 1.
using Axes = std::array<const clang::Expr*, 3>;

class HostValues {
public:
  explicit HostValues(const clang::ASTContext& ast) : ast_(ast) {}

  std::optional<std::int64_t> numberOf(const clang::Expr& value) const;
  /// What a dim3 is made of, or a number that becomes one. `since`: where it was computed, if that
  /// was in front of the expression.
  struct Dim3 {
    Axes axes = {};
    clang::SourceLocation since{};
  };
  std::optional<Dim3> dim3Of(const clang::Expr& value) const;

  /// (items + size - 1) / size, which may be computed in front.
  struct Pieces {
    clang::SourceLocation since{};
    /// A name that says the size wherever it stands; nullptr: there is none.
    const clang::Expr* by = nullptr;
  };
  std::optional<Pieces> piecesOf(const clang::Expr& value, const clang::Expr& items,
                                 std::int64_t size) const;

  /// A local variable that keeps what it was set to; nullptr: the value is none.
  const clang::VarDecl* settled(const clang::Expr& value) const;
  /// Whether a value is computed from local variables that nobody changes behind that place.
  bool keeps(const clang::Expr& value, clang::SourceLocation since) const;

private:
  struct Changes {
    std::set<const clang::VarDecl*> aliased; ///< may be changed by another name
    std::map<const clang::VarDecl*, std::set<clang::SourceLocation>> places;
  };
  const Changes& changesIn(const clang::FunctionDecl& function) const;
  bool keeps(const clang::VarDecl& variable, clang::SourceLocation since) const;

  const clang::ASTContext& ast_;
  mutable std::map<const clang::FunctionDecl*, Changes> known_;
};

} // namespace heddle::rewrite
