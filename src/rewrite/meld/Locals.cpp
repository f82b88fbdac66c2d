// SPDX-License-Identifier: Apache-2.0
//
//   1. What a part that stays in a branch declares, and another part uses, is declared in front; so
//      is what somebody may have the address of.
//   2. Of two variables that stand for each other the first arm's name is used.
//   3. A name that all parts see must mean one variable in all of them.
#include "rewrite/meld/Locals.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/meld/Refusals.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <map>

namespace heddle::rewrite::meld {
namespace {

using clang::Stmt;
using clang::ValueDecl;
using clang::VarDecl;

class NameFinder final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    found.push_back(name);
    return true;
  }
  std::vector<const clang::DeclRefExpr*> found;
};

std::vector<const clang::DeclRefExpr*> namesIn(const Stmt& code) {
  NameFinder finder;
  finder.TraverseStmt(const_cast<Stmt*>(&code));
  return finder.found;
}

bool isDestroyed(const VarDecl& variable) {
  const clang::CXXRecordDecl* record =
      variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() && !record->hasTrivialDestructor();
}

class LocalJoiner {
public:
  LocalJoiner(const Source& source, const Arms& arms)
      : source_(source), arms_(arms), twins_(arms.alignment.twins) {}

  Legal<Locals> join();

private:
  Legal<void> hoist(const Arm& arm);
  Legal<void> take(const Hoisted& hoisted);
  Legal<void> showAlike(const Part& part);
  Legal<void> rename(const VarDecl& variable);
  Legal<void> show(const VarDecl& variable);
  Legal<void> checkPart(const Arm& arm, const Part& part);
  Legal<void> checkName(const clang::DeclRefExpr& name, const std::vector<const VarDecl*>& own,
                        bool isRenamed);
  const ValueDecl* meaningOf(const ValueDecl* named) const {
    const auto found = twins_.find(named);
    return found != twins_.end() ? found->second : named;
  }
  bool isShown(const ValueDecl& variable) const {
    const auto found = shown_.find(variable.getNameAsString());
    return found != shown_.end() && found->second == &variable;
  }
  tl::unexpected<Refusal> twoVariables(const std::string& name, int line) const {
    return refuse(refusals["unhoistable-declaration"],
                  "line {} means another {} than the other arm", line, name);
  }

  const Source& source_;
  const Arms& arms_;
  Twins twins_;
  Locals locals_;
  std::map<std::string, const ValueDecl*> shown_;    ///< by name, the variable that all parts see
  std::map<const ValueDecl*, std::string> declared_; ///< in front
};

/// Step 1.
Legal<void> LocalJoiner::hoist(const Arm& arm) {
  const std::set<const VarDecl*> exposed = effectsOf(*arm.code).exposed;
  for (const Part& part : arms_.alignment.parts) {
    if (part.alike)
      continue;
    const Statements mine = arms_.of(arm, part);
    Statements users;
    for (const Stmt* each : arm.statements)
      if (std::ranges::find(mine, each) == mine.end())
        users.push_back(each);
    const auto isExposed = [&](const Stmt* each) {
      return std::ranges::any_of(declaredIn(*each),
                                 [&](const VarDecl* own) { return exposed.contains(own); });
    };
    if (!users.empty() && std::ranges::any_of(mine, isExposed))
      users.insert(users.end(), mine.begin(), mine.end());
    auto hoisted = hoistDeclarations(source_, mine, users);
    if (!hoisted)
      return tl::unexpected(hoisted.error());
    if (auto taken = take(*hoisted); !taken)
      return taken;
  }
  return {};
}

Legal<void> LocalJoiner::take(const Hoisted& hoisted) {
  for (std::size_t i = 0; i < hoisted.variables.size(); ++i) {
    const VarDecl& variable = *hoisted.variables[i];
    if (!declared_.contains(meaningOf(&variable))) // no other part uses its twin
      twins_.erase(&variable);
    if (auto shown = show(variable); !shown)
      return shown;
    const auto [known, isNew] = declared_.emplace(meaningOf(&variable), hoisted.declarations[i]);
    if (isNew)
      locals_.declarations.push_back(hoisted.declarations[i]);
    else if (variable.isConstexpr() && known->second != hoisted.declarations[i])
      return twoVariables(variable.getNameAsString(), source_.lineOf(variable.getLocation()));
    if (auto renamed = rename(variable); !renamed)
      return renamed;
  }
  locals_.edits.add(hoisted.edits);
  return {};
}

/// Step 2, where it is set for the first time.
Legal<void> LocalJoiner::rename(const VarDecl& variable) {
  const ValueDecl* meaning = meaningOf(&variable);
  if (meaning->getName() == variable.getName())
    return {};
  for (const VarDecl* each : declaredIn(*arms_.other.code))
    if (each->getName() == meaning->getName())
      return twoVariables(meaning->getNameAsString(), source_.lineOf(each->getLocation()));
  locals_.renamed[variable.getNameAsString()] = meaning->getNameAsString();
  return {};
}

Legal<void> LocalJoiner::show(const VarDecl& variable) {
  const int line = source_.lineOf(variable.getLocation());
  if (isDestroyed(variable))
    return refuse(refusals["unhoistable-declaration"],
                  "line {} declares {}, which would be destroyed at another time", line,
                  variable.getNameAsString());
  const ValueDecl* meaning = meaningOf(&variable);
  const auto [known, isNew] = shown_.emplace(variable.getNameAsString(), meaning);
  if (!isNew && known->second != meaning)
    return twoVariables(variable.getNameAsString(), line);
  locals_.names.insert(variable.getNameAsString());
  return {};
}

Legal<void> LocalJoiner::showAlike(const Part& part) {
  for (const Stmt* each : arms_.of(arms_.first, part))
    if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(each))
      for (const clang::Decl* declared : declares->decls())
        if (const auto* variable = llvm::dyn_cast<VarDecl>(declared))
          if (auto shown = show(*variable); !shown)
            return shown;
  return {};
}

/// Step 3, and step 2 for a part of the other arm that keeps its text.
Legal<void> LocalJoiner::checkPart(const Arm& arm, const Part& part) {
  const bool isOther = &arm == &arms_.other;
  for (const Stmt* each : arms_.of(arm, part)) {
    std::vector<const VarDecl*> own;
    for (const Stmt* beside : arms_.of(arm, part))
      for (const VarDecl* variable : declaredIn(*beside))
        own.push_back(variable);
    for (const clang::DeclRefExpr* name : namesIn(*each))
      if (auto checked = checkName(*name, own, isOther && !part.alike); !checked)
        return checked;
  }
  return {};
}

Legal<void> LocalJoiner::checkName(const clang::DeclRefExpr& name,
                                   const std::vector<const VarDecl*>& own, bool isRenamed) {
  const ValueDecl* named = name.getDecl();
  const int line = source_.lineOf(name.getBeginLoc());
  if (!named->getDeclName().isIdentifier())
    return {};
  const ValueDecl* meaning = meaningOf(named);
  const bool isOwn = std::ranges::find(own, named) != own.end();
  const auto seen = shown_.find(named->getNameAsString());
  if (seen != shown_.end() && seen->second != meaning && !isOwn)
    return twoVariables(named->getNameAsString(), line);
  if (meaning->getName() == named->getName() || !isRenamed || !isShown(*meaning))
    return {};
  const auto isHidden = [&](const VarDecl* each) { return each->getName() == meaning->getName(); };
  if (std::ranges::any_of(own, isHidden))
    return twoVariables(meaning->getNameAsString(), line);
  if (!source_.rangeOf(name.getSourceRange()))
    return refuse(refusals["macro-in-the-way"], "line {} has a name that is part of a macro", line);
  locals_.renamed[named->getNameAsString()] = meaning->getNameAsString();
  return {};
}

Legal<Locals> LocalJoiner::join() {
  for (const Arm* arm : {&arms_.first, &arms_.other})
    if (auto hoisted = hoist(*arm); !hoisted)
      return tl::unexpected(hoisted.error());
  for (const Part& part : arms_.alignment.parts)
    if (part.alike)
      if (auto shown = showAlike(part); !shown)
        return tl::unexpected(shown.error());
  for (const Arm* arm : {&arms_.first, &arms_.other})
    for (const Part& part : arms_.alignment.parts)
      if (auto checked = checkPart(*arm, part); !checked)
        return tl::unexpected(checked.error());
  return std::move(locals_);
}

} // namespace

Legal<Locals> joinLocals(const Source& source, const Arms& arms) {
  return LocalJoiner(source, arms).join();
}

} // namespace heddle::rewrite::meld
