// SPDX-License-Identifier: Apache-2.0
#include "rewrite/meld/PartCost.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite::meld {
namespace {

using clang::Stmt;

// Instructions: estimates.
constexpr double perDivision = 8, perAccess = 2, perBuiltin = 12;
constexpr double perCall = 10;      ///< of a function that only a template's instance knows
constexpr double tripsUnknown = 16; ///< of a loop that was not measured

class Counter {
public:
  Counter(const Source& source, const std::vector<MeasuredLoop>& loops)
      : source_(source), loops_(loops) {}

  double count(const Stmt* code) {
    if (code == nullptr)
      return 0;
    double sum = own(*code);
    for (const Stmt* child : code->children())
      sum += count(child);
    return isLoop(*code) ? sum * tripsOf(*code) : sum;
  }

private:
  double own(const Stmt& code) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&code))
      return ofCall(*call);
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&code)) {
      const clang::BinaryOperatorKind kind = operation->getOpcode();
      return kind == clang::BO_Div || kind == clang::BO_Rem || kind == clang::BO_DivAssign ||
                     kind == clang::BO_RemAssign
                 ? perDivision
                 : 1;
    }
    if (llvm::isa<clang::ArraySubscriptExpr>(code))
      return perAccess;
    return llvm::isa<clang::UnaryOperator, clang::ConditionalOperator, clang::IfStmt>(code) ? 1 : 0;
  }

  double ofCall(const clang::CallExpr& call) {
    const clang::FunctionDecl* body = nullptr;
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee == nullptr)
      return perCall;
    if (!callee->hasBody(body))
      return perBuiltin;
    if (!seen_.insert(body).second)
      return 0;
    const double inside = count(body->getBody());
    seen_.erase(body);
    return inside;
  }

  double tripsOf(const Stmt& loop) const {
    const int line = source_.lineOf(loop.getBeginLoc());
    const auto found = std::ranges::find_if(loops_, [&](const MeasuredLoop& each) {
      return !each.lines.empty() && each.lines.front() == line;
    });
    return found != loops_.end() && found->trips > 0 ? found->trips : tripsUnknown;
  }

  const Source& source_;
  const std::vector<MeasuredLoop>& loops_;
  std::set<const clang::FunctionDecl*> seen_; ///< that the walk is in
};

} // namespace

double costOf(const Source& source, const Stmt& code, const std::vector<MeasuredLoop>& loops) {
  return Counter(source, loops).count(&code);
}

} // namespace heddle::rewrite::meld
