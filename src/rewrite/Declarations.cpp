// SPDX-License-Identifier: Apache-2.0
#include "rewrite/Declarations.h"

#include "rewrite/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite {
namespace {

using clang::VarDecl;

class Names final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl()))
      add(used, variable);
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) override {
    add(declared, variable);
    return true;
  }

  std::vector<const VarDecl*> used, declared; ///< in the order of the text

private:
  static void add(std::vector<const VarDecl*>& to, const VarDecl* variable) {
    if (std::ranges::find(to, variable) == to.end())
      to.push_back(variable);
  }
};

Names namesIn(const clang::Stmt& code) {
  Names names;
  names.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return names;
}

/// A type as the source spells it, where it is one word or name; else empty.
std::string writtenType(const Source& source, const VarDecl& variable) {
  const clang::TypeSourceInfo* info = variable.getTypeSourceInfo();
  if (info == nullptr || variable.getType()->getContainedAutoType() != nullptr)
    return "";
  const clang::TypeLoc type = info->getTypeLoc().getUnqualifiedLoc();
  const bool plain = !type.getAs<clang::PointerTypeLoc>() && !type.getAs<clang::ArrayTypeLoc>() &&
                     !type.getAs<clang::ReferenceTypeLoc>() && !type.getAs<clang::ParenTypeLoc>();
  return plain ? source.textOf(type.getSourceRange()) : "";
}

Legal<void> checkMovable(const Source& source, const VarDecl& variable) {
  const clang::QualType type = variable.getType();
  const int line = source.lineOf(variable.getLocation());
  const std::string name = variable.getNameAsString();
  const auto no = [&](const char* why) {
    return refuse("unhoistable-declaration", "line {} declares {}, {}", line, name, why);
  };
  if (llvm::isa<clang::DecompositionDecl>(variable))
    return no("a structured binding");
  if (type->isReferenceType())
    return no("a reference, which cannot be set later");
  if (variable.isStaticLocal())
    return no("which is static");
  if (variable.hasInit() && type->isArrayType() &&
      !llvm::isa<clang::CXXConstructExpr>(variable.getInit()))
    return no("an array with initial values");
  if (type->isUndeducedAutoType() || (type->isDependentType() && type->getContainedAutoType()))
    return no("whose type depends on a template's argument");
  if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
      record != nullptr &&
      !(record->hasDefinition() && record->hasDefaultConstructor() &&
        (record->hasSimpleCopyAssignment() || record->hasCopyAssignmentWithConstParam())))
    return no("an object that cannot be made first and set later");
  const bool assigned = !variable.hasInit() || variable.getInitStyle() == VarDecl::CInit ||
                        (type->isRecordType() && variable.getInitStyle() == VarDecl::CallInit &&
                         variable.getInit()->getBeginLoc() == variable.getLocation());
  if (!assigned)
    return no("with an initial value in parentheses or braces");
  return {};
}

/// With the line break in front of it, where it has a line of its own.
Range wholeLine(const Source& source, Range range) {
  const std::size_t begin = source.lineBegin(range.begin);
  const bool alone = begin > 0 && source.indentAt(range.begin).size() == range.begin - begin &&
                     source.text().compare(range.end, 1, "\n") == 0;
  return alone ? Range{begin - 1, range.end} : range;
}

/// The declaration becomes an assignment for each variable that has a value.
Legal<void> hoistOne(const Source& source, const clang::DeclStmt& statement, Hoisted& to) {
  const auto range = source.rangeOf(statement);
  if (!range)
    return refuse("macro-in-the-way", "the declaration in line {} begins or ends in a macro",
                  source.lineOf(statement.getBeginLoc()));
  std::string stays;
  for (const clang::Decl* each : statement.decls()) {
    const auto* variable = llvm::dyn_cast<VarDecl>(each);
    if (variable == nullptr)
      continue;
    if (variable->isConstexpr()) {
      to.declarations.push_back(source.textOf(*range));
      to.variables.push_back(variable);
      to.edits.remove(*range);
      return {};
    }
    if (auto movable = checkMovable(source, *variable); !movable)
      return movable;
    to.declarations.push_back(declarationOf(source, *variable) + ";");
    to.variables.push_back(variable);
    const bool hasValue = variable->hasInit() && variable->getInitStyle() == VarDecl::CInit;
    if (!hasValue)
      continue;
    const auto value = source.rangeOf(variable->getInit()->getSourceRange());
    if (!value)
      return refuse("macro-in-the-way", "the value in line {} begins or ends in a macro",
                    source.lineOf(variable->getLocation()));
    stays += fmt::format("{}{} = {};", stays.empty() ? "" : " ", variable->getNameAsString(),
                         source.textOf(*value));
  }
  to.edits.replace(stays.empty() ? wholeLine(source, *range) : *range, stays);
  return {};
}

} // namespace

std::string declarationOf(const Source& source, const VarDecl& variable) {
  clang::QualType type = variable.getType();
  type.removeLocalConst();
  if (const std::string written = writtenType(source, variable); !written.empty())
    return written + " " + variable.getNameAsString();
  clang::PrintingPolicy policy(source.ast().getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream, policy, variable.getName());
  return text;
}

std::vector<const VarDecl*> variablesIn(const clang::Stmt& code) {
  return namesIn(code).used;
}

std::vector<const VarDecl*> declaredIn(const clang::Stmt& code) {
  return namesIn(code).declared;
}

Legal<Hoisted> hoistDeclarations(const Source& source,
                                 const std::vector<const clang::Stmt*>& statements,
                                 const std::vector<const clang::Stmt*>& users) {
  std::set<const VarDecl*> used;
  for (const clang::Stmt* user : users)
    for (const VarDecl* variable : variablesIn(*user))
      used.insert(variable);
  Hoisted result;
  for (const clang::Stmt* statement : statements) {
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declares == nullptr)
      continue;
    const bool needed = std::ranges::any_of(declares->decls(), [&](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<VarDecl>(each);
      return variable != nullptr && used.contains(variable);
    });
    if (!needed)
      continue;
    if (auto hoisted = hoistOne(source, *declares, result); !hoisted)
      return tl::unexpected(hoisted.error());
  }
  return result;
}

bool namesStandForMore(const clang::FunctionDecl& function, const clang::Stmt& loop,
                       const std::vector<const clang::Stmt*>& statements) {
  std::set<std::string> moving;
  for (const clang::Stmt* statement : statements)
    for (const VarDecl* variable : declaredIn(*statement))
      moving.insert(variable->getNameAsString());
  std::set<const VarDecl*> inside;
  for (const VarDecl* variable : declaredIn(loop))
    inside.insert(variable);
  const auto collides = [&](const VarDecl* variable) {
    return !inside.contains(variable) && moving.contains(variable->getNameAsString());
  };
  const std::vector<const VarDecl*> all = declaredIn(*function.getBody());
  return std::ranges::any_of(all, collides) || std::ranges::any_of(function.parameters(), collides);
}

} // namespace heddle::rewrite
