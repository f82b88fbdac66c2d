// SPDX-License-Identifier: Apache-2.0
//
//   1. Additions to elements of a parameter, `&sums[k]`, `sums + k` or `sums`.
//   2. The kernel uses that parameter for nothing else: others may not see the sums grow late.
//   3. No thread ends behind its first addition: who ends cannot hand in what its block has.
//   4. A tally for each parameter, which begins and ends with the kernel.
#include "rewrite/aggregate/BlockTally.h"

#include "rewrite/aggregate/Atomics.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;
using clang::Expr;
using clang::ParmVarDecl;
using clang::Stmt;

constexpr std::size_t mostBytes = 24 * 1024; ///< of 48 KB, so that the kernel has some, too

/// `sums[index]`, as the address of an atomic.
struct Element {
  const ParmVarDecl* sums = nullptr;
  const Expr* index = nullptr; ///< nullptr: the first
};

const ParmVarDecl* parameterOf(const Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr ? llvm::dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
}

/// Step 1.
Element elementOf(const CallExpr& call) {
  const Expr* address = call.getArg(0)->IgnoreParenImpCasts();
  if (const auto* of = llvm::dyn_cast<clang::UnaryOperator>(address);
      of != nullptr && of->getOpcode() == clang::UO_AddrOf)
    if (const auto* element =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(of->getSubExpr()->IgnoreParens()))
      return {parameterOf(element->getLHS()), element->getRHS()};
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(address);
      sum != nullptr && sum->getOpcode() == clang::BO_Add)
    return {parameterOf(sum->getLHS()), sum->getRHS()};
  return {parameterOf(address), nullptr};
}

/// Step 2.
class Uses final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* parameter = llvm::dyn_cast<ParmVarDecl>(name->getDecl()))
      ++count[parameter];
    return true;
  }
  std::map<const ParmVarDecl*, int> count;
};

/// Step 3. A loop that both returns and adds may add first.
class Leaving final : public TreeVisitor {
public:
  Leaving(const std::vector<const CallExpr*>& atomics) : atomics_(atomics) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    if (const auto* leaves = llvm::dyn_cast<clang::ReturnStmt>(statement))
      found |= isBehind(*leaves);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement))
      found |= holdsAtomic(*statement) && !findExits(*statement).returns.empty();
    return inside();
  }
  bool VisitGotoStmt(clang::GotoStmt*) override {
    found = true;
    return false;
  }
  bool found = false;

private:
  bool isBehind(const Stmt& statement) const {
    return std::ranges::any_of(atomics_, [&](const CallExpr* each) {
      return each->getBeginLoc() < statement.getBeginLoc();
    });
  }
  bool holdsAtomic(const Stmt& loop) const {
    return std::ranges::any_of(atomics_, [&](const CallExpr* each) {
      return loop.getBeginLoc() < each->getBeginLoc() && each->getBeginLoc() < loop.getEndLoc();
    });
  }

  const std::vector<const CallExpr*>& atomics_;
};

/// "ownSums" of "sums", "own_d_sums" of "d_sums".
std::string ownName(std::string name) {
  if (name.find('_') != std::string::npos)
    return "own_" + name;
  name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return "own" + name;
}

class Tallies {
public:
  Tallies(const Source& source, const clang::FunctionDecl& kernel,
          const std::vector<const CallExpr*>& atomics)
      : source_(source), kernel_(kernel), body_(*llvm::cast<clang::CompoundStmt>(kernel.getBody())),
        names_(source, kernel) {
    for (const CallExpr* call : atomics)
      if (const Element element = elementOf(*call);
          element.sums != nullptr && aggregatedName(*call) == "aggregate_add")
        additions_[element.sums].push_back(call);
    dropUsedOtherwise();
  }

  std::optional<Edits> edits(TallySize size) {
    std::vector<const CallExpr*> all;
    for (const auto& [sums, calls] : additions_)
      all.insert(all.end(), calls.begin(), calls.end());
    Leaving leaving(all);
    leaving.TraverseStmt(kernel_.getBody());
    const auto inside = source_.insideOf(body_);
    if (all.empty() || leaving.found || !inside || bytes(size) > mostBytes)
      return std::nullopt;
    edits_ = source_.include("heddle/block_tally.cuh");
    for (const auto& [sums, calls] : additions_)
      if (!keep(*sums, calls, size, *inside))
        return std::nullopt;
    return std::move(edits_);
  }

private:
  void dropUsedOtherwise() {
    Uses uses;
    uses.TraverseStmt(kernel_.getBody());
    std::erase_if(additions_, [&](const auto& each) {
      return std::size_t(uses.count[each.first]) != each.second.size();
    });
  }

  std::size_t bytes(TallySize size) const {
    std::size_t bytes = 0;
    for (const auto& [sums, calls] : additions_) {
      const clang::QualType type = sums->getType()->getPointeeType();
      bytes += std::size_t(size.words) * size.copies *
               (type->isDependentType() ? sizeof(double)
                                        : source_.ast().getTypeSizeInChars(type).getQuantity());
    }
    return bytes;
  }

  /// Step 4.
  bool keep(const ParmVarDecl& sums, const std::vector<const CallExpr*>& calls, TallySize size,
            Range inside) {
    const std::string name = sums.getNameAsString();
    const std::string own = names_.make(ownName(name));
    const auto first = source_.rangeOf(*body_.body_front());
    const auto last = source_.rangeOf(*body_.body_back());
    if (!first || !last)
      return false;
    const std::string indent = source_.indentAt(first->begin);
    const clang::PrintingPolicy policy(source_.ast().getLangOpts());
    edits_.insert(
        first->begin,
        fmt::format("__shared__ heddle::block_tally<{}, {}{}> {};\n{}{}.begin();\n{}",
                    sums.getType()->getPointeeType().getUnqualifiedType().getAsString(policy),
                    size.words, size.copies > 1 ? fmt::format(", {}", size.copies) : "", own,
                    indent, own, indent));
    edits_.insert(std::max(last->end, endOfLine(last->end, inside)),
                  fmt::format("\n{}{}.end({});", indent, own, name));
    return std::ranges::all_of(calls, [&](const CallExpr* call) { return add(*call, own); });
  }

  /// Behind a comment that stands there.
  std::size_t endOfLine(std::size_t at, Range inside) const {
    return std::min(source_.text().find('\n', at), inside.end);
  }

  bool add(const CallExpr& call, const std::string& own) {
    const Element element = elementOf(call);
    const auto range = source_.rangeOf(call.getSourceRange());
    const auto value = source_.rangeOf(call.getArg(1)->getSourceRange());
    if (!range || !value || call.getBeginLoc().isMacroID())
      return false;
    const std::string index =
        element.index != nullptr ? source_.textOf(element.index->getSourceRange()) : "0";
    edits_.replace(*range, fmt::format("{}.add({}, {}, {})", own, element.sums->getNameAsString(),
                                       index, source_.textOf(*value)));
    return true;
  }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const clang::CompoundStmt& body_;
  FreshNames names_;
  std::map<const ParmVarDecl*, std::vector<const CallExpr*>> additions_;
  Edits edits_;
};

} // namespace

std::optional<Edits> keepSumsInBlock(const Source& source, const clang::FunctionDecl& kernel,
                                     const std::vector<const CallExpr*>& atomics, TallySize size) {
  if (llvm::cast<clang::CompoundStmt>(kernel.getBody())->body_empty())
    return std::nullopt;
  return Tallies(source, kernel, atomics).edits(size);
}

} // namespace heddle::rewrite::aggregate
