// SPDX-License-Identifier: Apache-2.0
#include "rewrite/ways/WayCosts.h"

#include "rewrite/code/TreeVisitor.h"

#include <algorithm>
#include <set>

namespace heddle::rewrite {
namespace {

/// Operations of code and of the functions it calls; calls only as often as they are written.
class OperationCounter final : public TreeVisitor {
public:
  /// Only what lies in one of the ranges counts; none: all.
  OperationCounter(const Source& source, const Range* within) : source_(source), within_(within) {}

  bool VisitBinaryOperator(clang::BinaryOperator* operation) override { return count(*operation); }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override { return count(*operation); }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    return count(*access);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!isWithin(*call))
      return true;
    operations += 1;
    const clang::FunctionDecl* body = nullptr;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || !callee->hasBody(body) || !seen_.insert(body).second)
      return true;
    OperationCounter inside(source_, nullptr);
    inside.seen_ = seen_;
    inside.TraverseStmt(body->getBody());
    operations += inside.operations;
    seen_.erase(body);
    return true;
  }

  double operations = 0;

private:
  bool isWithin(const clang::Stmt& statement) const {
    if (within_ == nullptr)
      return true;
    const auto range = source_.rangeOf(statement.getSourceRange());
    return range && within_->contains(*range);
  }
  bool count(const clang::Stmt& statement) {
    operations += isWithin(statement) ? 1 : 0;
    return true;
  }

  const Source& source_;
  const Range* within_;
  std::set<const clang::FunctionDecl*> seen_;
};

double operationsOf(const Source& source, const clang::Stmt& code, const Range* within) {
  OperationCounter counter(source, within);
  counter.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return counter.operations;
}

int lineAt(const Source& source, std::size_t offset) {
  const std::string& text = source.text();
  return 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(offset), '\n'));
}

} // namespace

std::vector<double> wayLengths(const Source& source, const clang::Stmt& branch,
                               const std::vector<Range>& ways,
                               const std::vector<MeasuredLoop>& loops) {
  std::vector<double> lengths;
  for (const Range& way : ways) {
    double length = way.end > way.begin ? operationsOf(source, branch, &way) : 0;
    const int first = lineAt(source, way.begin), last = lineAt(source, way.end);
    for (const MeasuredLoop& loop : loops) {
      const bool here = way.end > way.begin && std::ranges::any_of(loop.lines, [&](int line) {
                          return first <= line && line <= last;
                        });
      const auto found = here ? findBranch(source, loop.lines.front(), 0) : std::nullopt;
      if (found && isLoop(*found->statement) && found->statement != &branch)
        length += (loop.trips - 1) * operationsOf(source, *found->statement, nullptr);
    }
    lengths.push_back(std::max(1.0, length));
  }
  return lengths;
}

} // namespace heddle::rewrite
