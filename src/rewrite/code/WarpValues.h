// SPDX-License-Identifier: Apache-2.0
//
// Which values are the same for all lanes of a warp, where the rows of a block are whole warps:
// what is the same for the block, and
//
//   threadIdx.y   threadIdx.x / 32   tid >> 5   (blockIdx.x * blockDim.x + threadIdx.x) / 32
//
// and what is computed from these once and for all.
#pragma once

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <set>
#include <vector>

namespace heddle::rewrite {

/// What is known of the rows of a block.
enum class Rows { Any, OfWarps };

class WarpValues {
public:
  /// `function`: all of its body. Of any rows, only what is the same for the block counts.
  WarpValues(const Source& source, const clang::Stmt& function, Rows rows);

  bool isAlike(const clang::Expr& value) const;
  bool isAlike(const clang::VarDecl& variable) const;
  /// Where code names threadIdx, but for values that are alike.
  std::vector<const clang::Expr*> laneNames(const clang::Stmt& code) const;
  const BlockValues& ofBlock() const { return ofBlock_; }

private:
  bool isWarpNumber(const clang::BinaryOperator& quotient) const;
  bool countsRows(const clang::Expr& number) const;
  bool isRowBegin(const clang::Expr& product) const;
  const clang::Expr* valueOf(const clang::Expr& expression) const;

  const Source& source_;
  Rows rows_;
  BlockValues ofBlock_;
  std::set<const clang::VarDecl*> changed_;
};

} // namespace heddle::rewrite
