// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Builtins.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/IndexSum.h"
#include "rewrite/share_rows/Refusals.h"
#include "rewrite/share_rows/TeamRest.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <set>

namespace heddle::rewrite::share_rows {
namespace {

using clang::Expr;
using clang::Stmt;

/// The names in one expression, or in all of a kernel.
class Names final : public CallFollower {
public:
  bool aroundStatement(Stmt* statement, Walk inside) override {
    const auto* value = llvm::dyn_cast<clang::PseudoObjectExpr>(statement);
    const std::string name = value != nullptr ? builtinOf(value) : "";
    if (name.empty())
      return inside();
    if (name.ends_with(".x")) {
      found.push_back(value);
      inFunction = inFunction || !followed().empty();
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    static constexpr std::array<llvm::StringRef, 4> all = {"threadIdx", "blockIdx", "blockDim",
                                                           "gridDim"};
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    isWhole = isWhole || (variable != nullptr && !variable->hasLocalStorage() &&
                          std::ranges::find(all, variable->getName()) != all.end());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    operations.push_back(operation);
    return true;
  }

  std::vector<const Expr*> found; ///< along x
  std::vector<const Expr*> operations;
  bool isWhole = false; ///< all axes of a name are handed on
  bool inFunction = false;
};

Names namesIn(const Stmt& code) {
  Names names;
  names.TraverseStmt(const_cast<Stmt*>(&code));
  return names;
}

/// Those of a row's number, or of a stride.
void addKnown(const Expr& operation, std::set<const Expr*>& known) {
  const auto sum = indexSumOf(&operation);
  if (!(sum && sum->axis == 0) && axisOfProduct(&operation, "gridDim", "blockDim") != 0)
    return;
  std::set<const Expr*> others;
  if (sum)
    for (const Expr* each : sum->rest)
      for (const Expr* name : namesIn(*each).found)
        others.insert(name);
  for (const Expr* name : namesIn(operation).found)
    if (!others.contains(name))
      known.insert(name);
}

} // namespace

Legal<RowNumbers> findRowNumbers(const Source& source, const Stmt& kernel) {
  const Names names = namesIn(kernel);
  std::set<const Expr*> known;
  for (const Expr* each : names.operations)
    addKnown(*each, known);
  RowNumbers numbers;
  for (const Expr* each : names.found) {
    const auto range = source.rangeOf(each->getSourceRange());
    if (!known.contains(each) || !range)
      return refuse(refusals["no-team"],
                    "line {} asks for {} in another way than for the number of the row",
                    source.lineOf(each->getBeginLoc()), builtinOf(each));
    const std::string name = builtinOf(each);
    if (name == "threadIdx.x")
      numbers.threads.push_back(*range);
    else if (name == "blockDim.x")
      numbers.sizes.push_back(*range);
  }
  if (names.isWhole || names.inFunction || numbers.threads.empty())
    return refuse(refusals["no-team"], "{}",
                  numbers.threads.empty() ? "the kernel does not compute the number of a row"
                                          : "a function asks for its thread or block");
  return numbers;
}

} // namespace heddle::rewrite::share_rows
