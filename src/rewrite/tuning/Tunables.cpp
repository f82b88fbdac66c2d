// SPDX-License-Identifier: Apache-2.0
#include "rewrite/tuning/Tunables.h"

#include "rewrite/code/CallFollower.h"
#include "support/SortStably.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <array>
#include <set>

namespace heddle::rewrite::tuning {
namespace {

using clang::Stmt;

constexpr std::array<const char*, 4> factors = {"1", "2", "4", "8"};
constexpr std::array<const char*, 3> whens = {"mixed", "always", "never"};

/// Rules of the device library that need no number of the loop, and short words of its ways.
std::vector<std::string> policiesOf(int ways) {
  std::vector<std::string> found = {"alternating", "frequency", "laggard", "aging"};
  std::string once;
  for (int way = 0; way < ways; ++way)
    once += fmt::format("{}{}", way > 0 ? ", " : "", way);
  found.push_back(fmt::format("word<{}>", once));
  if (ways == 2)
    found.insert(found.end(), {"word<0, 1, 1>", "word<0, 1, 1, 1>", "word<0, 0, 1>"});
  return found;
}

/// Whether code has a loop in it, or asks for the whole grid.
class InsideLoop final : public TreeVisitor {
public:
  bool aroundStatement(Stmt* statement, Walk inside) override {
    hasLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(
        statement);
    return inside();
  }
  bool VisitOpaqueValueExpr(clang::OpaqueValueExpr* value) override {
    return TraverseStmt(value->getSourceExpr());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const clang::ValueDecl* declared = name->getDecl();
    hasGrid |= declared->getIdentifier() != nullptr && declared->getName() == "gridDim";
    return true;
  }

  bool hasLoop = false, hasGrid = false;
};

bool holdsLoop(const Stmt* code) {
  InsideLoop inside;
  return code != nullptr && (inside.TraverseStmt(const_cast<Stmt*>(code)), inside.hasLoop);
}

bool asksForGrid(const Stmt* code) {
  InsideLoop inside;
  return code != nullptr && (inside.TraverseStmt(const_cast<Stmt*>(code)), inside.hasGrid);
}

class TunableFinder final : public CallFollower {
public:
  explicit TunableFinder(const Source& source) : source_(source) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
      attributed_.insert(attributed->getSubStmt());
    return inside();
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (attributed_.contains(loop) || loop->getCond() == nullptr || loop->getInc() == nullptr ||
        !source_.isHere(loop->getForLoc()) || loop->getForLoc().isMacroID() ||
        holdsLoop(loop->getBody()) || asksForGrid(loop->getInc()))
      return true;
    const auto place = source_.rangeOf(clang::SourceRange(loop->getForLoc()));
    if (place)
      add({.kind = TunableKind::Unroll,
           .line = source_.lineOf(loop->getForLoc()),
           .others = {factors.begin(), factors.end()},
           .place = {place->begin, place->begin},
           .before = "_Pragma(\"unroll ",
           .after = "\") "});
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreImplicit());
    const clang::FunctionDecl* function = call->getDirectCallee();
    if (callee != nullptr && function != nullptr && callee->hasExplicitTemplateArgs() &&
        source_.isHere(callee->getLocation())) {
      const std::string name = function->getQualifiedNameAsString();
      if (name == "heddle::scheduled_loop")
        addPolicy(*callee, *function);
      else if (name == "heddle::regrouped_loop")
        addRegroup(*callee);
    }
    return CallFollower::VisitCallExpr(call);
  }

  std::vector<Tunable> found;

private:
  /// The first of a line, which names it; instances of a template are walked too.
  void add(Tunable tunable) {
    if (names_.insert(tunable.name()).second)
      found.push_back(std::move(tunable));
  }
  void addPolicy(const clang::DeclRefExpr& callee, const clang::FunctionDecl& function) {
    const auto* arguments = function.getTemplateSpecializationArgs();
    const auto place = source_.rangeOf(callee.getTemplateArgs()[0].getSourceRange());
    if (!place || arguments == nullptr || arguments->size() < 2 ||
        arguments->get(1).getKind() != clang::TemplateArgument::Integral)
      return;
    Tunable tunable{.kind = TunableKind::Policy,
                    .line = source_.lineOf(callee.getLocation()),
                    .own = source_.textOf(*place),
                    .ways = int(arguments->get(1).getAsIntegral().getExtValue()),
                    .place = *place,
                    .before = "heddle::"};
    if (tunable.own.starts_with("heddle::"))
      tunable.own.erase(0, tunable.before.size());
    for (const std::string& policy : policiesOf(tunable.ways))
      if (policy != tunable.own)
        tunable.others.push_back(policy);
    add(std::move(tunable));
  }
  void addRegroup(const clang::DeclRefExpr& callee) {
    constexpr unsigned state = 2, when = 3; // among the template's arguments
    const bool isWritten = callee.getNumTemplateArgs() > when;
    if (callee.getNumTemplateArgs() <= state)
      return;
    const auto place =
        source_.rangeOf(callee.getTemplateArgs()[isWritten ? when : state].getSourceRange());
    if (!place)
      return;
    Tunable tunable{.kind = TunableKind::Regroup,
                    .line = source_.lineOf(callee.getLocation()),
                    .own = "mixed",
                    .place = *place,
                    .before = "heddle::regroup_when::"};
    if (isWritten) {
      const std::string text = source_.textOf(*place);
      tunable.own = text.substr(text.rfind(':') == std::string::npos ? 0 : text.rfind(':') + 1);
    } else {
      tunable.place = {place->end, place->end};
      tunable.before = ", heddle::regroup_when::";
    }
    for (const char* each : whens)
      if (each != tunable.own)
        tunable.others.emplace_back(each);
    add(std::move(tunable));
  }

  const Source& source_;
  std::set<const Stmt*> attributed_;
  std::set<std::string> names_;
};

std::string kindName(TunableKind kind) {
  constexpr std::array<const char*, 3> names = {"unroll", "policy", "regroup"};
  return names[std::size_t(kind)];
}

} // namespace

std::string Tunable::name() const {
  return fmt::format("{}:{}", kindName(kind), line);
}

KernelTunables findTunables(const Source& source, const clang::FunctionDecl& kernel) {
  KernelTunables result{.block = findFreeBlock(source, kernel)};
  result.hasBounds = std::ranges::any_of(kernel.redecls(), [](const clang::FunctionDecl* each) {
    return each->hasAttr<clang::CUDALaunchBoundsAttr>();
  });
  const clang::SourceLocation at =
      kernel.getQualifierLoc() ? kernel.getQualifierLoc().getBeginLoc() : kernel.getLocation();
  if (const auto place = source.rangeOf(clang::SourceRange(at)); place && !at.isMacroID())
    result.boundsAt = place->begin;
  TunableFinder finder(source);
  finder.TraverseStmt(kernel.getBody());
  result.tunables = std::move(finder.found);
  sortStably(result.tunables, &Tunable::line);
  return result;
}

Edits tunedEdits(const KernelTunables& kernel, const std::map<std::string, std::string>& values,
                 const std::string& bounds) {
  Edits edits;
  if (!bounds.empty() && kernel.boundsAt)
    edits.insert(*kernel.boundsAt, fmt::format("__launch_bounds__({}) ", bounds));
  for (const Tunable& tunable : kernel.tunables)
    if (const auto value = values.find(tunable.name());
        value != values.end() && value->second != tunable.own)
      edits.replace(tunable.place, tunable.before + value->second + tunable.after);
  return edits;
}

} // namespace heddle::rewrite::tuning
