// SPDX-License-Identifier: Apache-2.0
//
//   1. Parts that are alike and follow one another are one piece; so is each part that is not, and
//      the code around the branch.
//   2. Within an arm, a product of one piece may have been fused with a sum of another.
//   3. A piece at the arms' begin or end now follows, or precedes, the code around the branch.
#include "rewrite/meld/Fusing.h"

#include "rewrite/meld/Products.h"
#include "rewrite/meld/Refusals.h"

#include <clang/AST/Attr.h>

#include <algorithm>

namespace heddle::rewrite::meld {
namespace {

using clang::ValueDecl;

struct Piece {
  bool alike = false;
  Statements statements;
  ProductsAndSums found;
};

std::vector<Piece> piecesOf(const Arms& arms, const Arm& arm) {
  std::vector<Piece> pieces;
  for (const Part& part : arms.alignment.parts) {
    if (pieces.empty() || !part.alike || !pieces.back().alike)
      pieces.push_back({part.alike, {}, {}});
    const Statements more = arms.of(arm, part);
    pieces.back().statements.insert(pieces.back().statements.end(), more.begin(), more.end());
  }
  for (Piece& piece : pieces)
    for (const clang::Stmt* each : piece.statements) {
      const ProductsAndSums found = findProducts(*each);
      piece.found.products.insert(found.products.begin(), found.products.end());
      piece.found.sums.insert(found.sums.begin(), found.sums.end());
    }
  return pieces;
}

/// Memory may be read and written by others at a barrier; a variable of the thread stays.
enum class Between { Nothing, Barrier };

bool isOfThread(const ValueDecl& variable) {
  const auto* own = llvm::dyn_cast<clang::VarDecl>(&variable);
  return own != nullptr && own->hasLocalStorage() && !own->hasAttr<clang::CUDASharedAttr>() &&
         !own->getType()->isPointerType() && !own->getType()->isReferenceType();
}

/// A product of one piece that the other one adds, or nullptr.
const ValueDecl* fused(const ProductsAndSums& from, const ProductsAndSums& to,
                       Between between = Between::Nothing) {
  const auto found = std::ranges::find_if(from.products, [&](const ValueDecl* each) {
    return to.sums.contains(each) && (between == Between::Nothing || isOfThread(*each));
  });
  return found != from.products.end() ? *found : nullptr;
}

/// What stands between the branch and the statement that follows it, or that it follows.
Between besides(const BranchStatement& branch, int step) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(branch.around.front());
  if (block == nullptr)
    return Between::Nothing;
  const auto begin = block->body_begin(), end = block->body_end();
  const auto at = std::find(begin, end, branch.statement);
  if (at == end || (step < 0 ? at == begin : at + 1 == end))
    return Between::Nothing;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(at[step]);
  const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
  return callee != nullptr && callee->getDeclName().isIdentifier() &&
                 callee->getName() == "__syncthreads"
             ? Between::Barrier
             : Between::Nothing;
}

class FusingCheck {
public:
  FusingCheck(const Source& source, const Arms& arms, const BranchStatement& branch)
      : source_(source), arms_(arms), branch_(branch),
        around_(findProducts(*branch.function->getBody(), arms.branch)) {}

  Legal<void> check(const Arm& arm) const {
    const std::vector<Piece> pieces = piecesOf(arms_, arm);
    for (const Piece& from : pieces)
      for (const Piece& to : pieces)
        if (const ValueDecl* variable = &from != &to ? fused(from.found, to.found) : nullptr)
          return no(*variable, to);
    if (!pieces.empty() && pieces.front().alike)
      if (const ValueDecl* variable = fused(around_, pieces.front().found, besides(branch_, -1)))
        return no(*variable, pieces.front());
    if (!pieces.empty() && pieces.back().alike)
      if (const ValueDecl* variable = fused(pieces.back().found, around_, besides(branch_, 1)))
        return no(*variable, pieces.back());
    return {};
  }

private:
  tl::unexpected<Refusal> no(const ValueDecl& variable, const Piece& piece) const {
    return refuse(refusals["fuses-otherwise"],
                  "{} may be a product that is added in another part than it is computed in, which "
                  "a compiler fuses or not; the parts meet in line {}",
                  variable.getNameAsString(),
                  source_.lineOf(piece.statements.front()->getBeginLoc()));
  }

  const Source& source_;
  const Arms& arms_;
  const BranchStatement& branch_;
  ProductsAndSums around_;
};

} // namespace

Legal<void> refuseFusing(const Source& source, const Arms& arms, const BranchStatement& branch) {
  const FusingCheck check(source, arms, branch);
  for (const Arm* arm : {&arms.first, &arms.other})
    if (auto legal = check.check(*arm); !legal)
      return legal;
  return {};
}

} // namespace heddle::rewrite::meld
