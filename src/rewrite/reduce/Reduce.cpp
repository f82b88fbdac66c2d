// SPDX-License-Identifier: Apache-2.0
//
//   1. The block is one-dimensional and a power of two, as the loop itself needs it to be.
//   2. Each instance of the loop is read as a reduction, see ReductionLoop.h.
//   3. Behind the loop, only the element with the result may be read: the others differ now.
//   4. The call, with the barriers at both ends that the loop had.
#include "rewrite/reduce/Reduce.h"

#include "rewrite/code/Pragmas.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/reduce/ReductionLoop.h"
#include "rewrite/reduce/Refusals.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite::reduce {
namespace {

using clang::Stmt;

constexpr int fewestThreads = 32, mostThreads = 1024;

Legal<int> blockOf(const Measured& measured) {
  const auto [x, y, z] = measured.block;
  if (x == 0)
    return refuse(refusals["block-size-unknown"],
                  "launches have blocks of different sizes, or none was seen");
  if (y > 1 || z > 1)
    return refuse(refusals["block-size-unfit"],
                  "blocks of {} x {} x {} threads are not one-dimensional", x, y, z);
  if (x < fewestThreads || x > mostThreads || (x & (x - 1)) != 0)
    return refuse(refusals["block-size-unfit"],
                  "{} threads of a block are not a power of two from {} to {}", x, fewestThreads,
                  mostThreads);
  return x;
}

/// The loop that a branch is or stands in, with what is around it.
Placed loopOf(const Placed& branch) {
  if (isLoop(*branch.statement))
    return branch;
  const Stmt* loop = branch.loop();
  const auto at = std::ranges::find(branch.around, loop);
  if (at == branch.around.end())
    return {};
  return {loop, {at + 1, branch.around.end()}};
}

/// Step 3: looks for uses of the array outside the loop that would see other values.
class UsesBehind final : public TreeVisitor {
public:
  UsesBehind(const Source& source, const Placed& loop, const clang::VarDecl& array)
      : source_(source), array_(array), loop_(loop.statement), outer_(loop.loop()) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    return statement == loop_ || inside();
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->getOpcode() == clang::BO_Assign)
      overwritten_ = operation->getLHS()->IgnoreParens();
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* name =
        llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
    if (name == nullptr || name->getDecl() != &array_)
      return true;
    const bool isFirst = isZero(*element->getIdx());
    const bool isSet = element == overwritten_;
    const bool isBefore = name->getLocation() < loop_->getBeginLoc();
    if (isBefore ? (outer_ == nullptr || isSet || isFirst) : (isFirst && !isSet))
      harmless_ = name;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == &array_ && name != harmless_)
      found = source_.lineOf(name->getLocation());
    return found == 0;
  }

  int found = 0; ///< a line

private:
  bool isZero(const clang::Expr& index) const {
    clang::Expr::EvalResult result;
    return !index.isValueDependent() && index.EvaluateAsInt(result, source_.ast()) &&
           result.Val.getInt() == 0;
  }

  const Source& source_;
  const clang::VarDecl& array_;
  const Stmt* loop_;
  const Stmt* outer_;
  const clang::Expr* overwritten_ = nullptr;
  const clang::DeclRefExpr* harmless_ = nullptr;
};

/// Steps 2 and 3.
Legal<ReductionLoop> readLoop(const Source& source, const Placed& branch, int block) {
  const Placed placed = loopOf(branch);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(placed.statement);
  const Stmt* body = placed.around.empty() ? nullptr : placed.around.back();
  const auto read = loop != nullptr && body != nullptr ? readReduction(source, *body, *loop, block)
                                                       : std::nullopt;
  if (!read)
    return refuse(refusals["no-reduction-idiom"],
                  "the loop is no reduction in shared memory that is known");
  UsesBehind uses(source, placed, *read->array);
  uses.TraverseStmt(const_cast<Stmt*>(body));
  if (uses.found != 0)
    return refuse(refusals["array-used-behind"],
                  "line {} uses {}, of which only the first element is kept", uses.found,
                  read->array->getNameAsString());
  return *read;
}

/// ", [](auto x, auto y) { return fmaxf(x, y); }"; sums need none.
std::string operatorText(const ReductionLoop& read) {
  if (read.operation == "+")
    return "";
  return fmt::format(", [](auto x, auto y) {{ return {}; }}",
                     read.isFunction ? read.operation + "(x, y)" : "x " + read.operation + " y");
}

constexpr std::string_view forms[] = {"neighbours", "halves"};

} // namespace

Legal<std::vector<Proposal>> proposeReductions(const Source& source, const Target& target) {
  const auto block = blockOf(target.measured);
  if (!block)
    return tl::unexpected(block.error());
  std::optional<ReductionLoop> read;
  for (const Placed& instance : target.branch->instances) {
    auto each = readLoop(source, instance, *block);
    if (!each)
      return tl::unexpected(each.error());
    read = *each;
  }
  const Placed loop = loopOf(*target.branch);
  const auto range = source.rangeOf(*loop.statement);
  if (!range)
    return refuse(refusals["macro-in-the-way"], "the loop in line {} begins or ends in a macro",
                  source.lineOf(loop.statement->getBeginLoc()));
  // Step 4: without an own barrier, the code behind may only rely on the loop's last one.
  const std::string indent = source.indentAt(range->begin);
  std::string text = read->barrierFirst ? "__syncthreads();\n" + indent : "";
  text += fmt::format("heddle::{}<{}>({}{});",
                      read->halvesFirst ? "reduce_halves" : "reduce_neighbours", *block,
                      read->array->getNameAsString(), operatorText(*read));
  if (!read->barrierFirst || loop.loop() != nullptr)
    text += "\n" + indent + "__syncthreads();";
  if (loop.around.empty() ||
      !llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(loop.around.front()))
    text = "{ " + text + " }";
  Edits edits = source.include("heddle/tree_reduce.cuh");
  for (const Range& line : pragmaLines(source, loop))
    edits.remove(line);
  edits.replace(*range, text);
  return std::vector<Proposal>{{read->halvesFirst ? "halves" : "neighbours", std::move(edits)}};
}

const Rewrite room{
    .name = "reduce",
    .summary = "reduce a block's shared memory by shuffles, in the order of the loop",
    .forms = forms,
    .ofIdiom = true,
    .refusals = refusals,
    .propose = proposeReductions,
};

} // namespace heddle::rewrite::reduce
