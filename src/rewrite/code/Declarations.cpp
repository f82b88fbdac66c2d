// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Declarations.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <ranges>
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

/// `auto` whose type only an instance of the template knows.
bool isDeducedLater(const VarDecl& variable) {
  return variable.getType()->isDependentType() && variable.getType()->getContainedAutoType();
}

/// A variable that is made anew in each turn without a word.
bool isMadeAnew(const VarDecl& variable) {
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable.getInit());
  return made != nullptr && variable.getInitStyle() == VarDecl::CallInit &&
         !made->getConstructor()->isTrivial();
}

/// `Random random(seed);`: what makes the object, or nullptr.
const clang::CXXConstructExpr* madeFromValues(const VarDecl& variable) {
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable.getInit());
  const bool hasValues = made != nullptr && variable.getInitStyle() == VarDecl::CallInit &&
                         made->getNumArgs() > 0 &&
                         !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(0));
  return hasValues ? made : nullptr;
}

/// Of no matter which bytes at first, and set to a new object later.
bool mayBeBlank(const Source& source, const VarDecl& variable) {
  const clang::CXXConstructExpr* made = madeFromValues(variable);
  return made != nullptr && source.rangeOf(made->getParenOrBraceRange()) &&
         variable.getType()->isRecordType() &&
         variable.getType().isTriviallyCopyableType(source.ast());
}

Legal<void> checkMovable(const Source& source, const VarDecl& variable, Objects objects) {
  const clang::QualType type = variable.getType();
  const int line = source.lineOf(variable.getLocation());
  const std::string name = variable.getNameAsString();
  const auto no = [&](const char* why) {
    return refuse(common["unhoistable-declaration"], "line {} declares {}, {}", line, name, why);
  };
  if (llvm::isa<clang::DecompositionDecl>(variable))
    return no("a structured binding");
  if (type->isReferenceType())
    return no("a reference, which cannot be set later");
  if (variable.isStaticLocal())
    return no("which is static");
  if (variable.hasInit() && type->isArrayType() &&
      (!llvm::isa<clang::CXXConstructExpr>(variable.getInit()) || isMadeAnew(variable)))
    return no("an array with initial values");
  if (isDeducedLater(variable) && type->getContainedAutoType()->isDecltypeAuto())
    return no("whose type depends on a template's argument");
  const bool isBlank = objects == Objects::MayBeBlank && mayBeBlank(source, variable);
  if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
      record != nullptr &&
      !(record->hasDefinition() && (isBlank || record->hasDefaultConstructor()) &&
        (record->hasSimpleCopyAssignment() || record->hasCopyAssignmentWithConstParam())))
    return no("an object that cannot be made first and set later");
  const bool assigned = !variable.hasInit() || variable.getInitStyle() == VarDecl::CInit ||
                        (type->isRecordType() && variable.getInitStyle() == VarDecl::CallInit &&
                         variable.getInit()->getBeginLoc() == variable.getLocation());
  if (!isBlank && (!assigned || madeFromValues(variable) != nullptr))
    return no("with an initial value in parentheses or braces");
  return {};
}

/// The declaration becomes an assignment for each variable that has a value.
Legal<void> hoistOne(const Source& source, const clang::DeclStmt& statement, Objects objects,
                     Hoisted& to) {
  const auto range = source.rangeOf(statement);
  if (!range)
    return refuse(common["macro-in-the-way"],
                  "the declaration in line {} begins or ends in a macro",
                  source.lineOf(statement.getBeginLoc()));
  std::string stays;
  for (const clang::Decl* each : statement.decls()) {
    const auto* variable = llvm::dyn_cast<VarDecl>(each);
    if (variable == nullptr)
      continue;
    if (variable->isConstexpr()) {
      to.declarations.push_back(source.textOf(*range));
      to.variables.push_back(variable);
      to.edits.remove(wholeLine(source, *range));
      return {};
    }
    if (auto movable = checkMovable(source, *variable, objects); !movable)
      return movable;
    to.variables.push_back(variable);
    const std::string declared = declarationOf(source, *variable);
    if (const clang::CXXConstructExpr* made = madeFromValues(*variable)) {
      const std::string name = variable->getNameAsString();
      const std::string type = declared.substr(0, declared.size() - name.size() - 1);
      to.declarations.push_back(fmt::format("{} = heddle::blank<{}>();", declared, type));
      stays += fmt::format("{}{} = {}{};", stays.empty() ? "" : " ", name, type,
                           source.textOf(made->getParenOrBraceRange()));
      continue;
    }
    to.declarations.push_back(declared + ";");
    if (isMadeAnew(*variable))
      stays += fmt::format("{}{} = {{}};", stays.empty() ? "" : " ", variable->getNameAsString());
    const bool hasValue = variable->hasInit() && variable->getInitStyle() == VarDecl::CInit;
    if (!hasValue)
      continue;
    const auto value = source.rangeOf(variable->getInit()->getSourceRange());
    if (!value)
      return refuse(common["macro-in-the-way"], "the value in line {} begins or ends in a macro",
                    source.lineOf(variable->getLocation()));
    stays += fmt::format("{}{} = {};", stays.empty() ? "" : " ", variable->getNameAsString(),
                         source.textOf(*value));
  }
  to.edits.replace(stays.empty() ? wholeLine(source, *range) : *range, stays);
  return {};
}

} // namespace

Range wholeLine(const Source& source, Range range) {
  const std::size_t begin = source.lineBegin(range.begin);
  const bool alone = begin > 0 && source.indentAt(range.begin).size() == range.begin - begin &&
                     source.text().compare(range.end, 1, "\n") == 0;
  return alone ? Range{begin - 1, range.end} : range;
}

std::string declarationOf(const Source& source, const VarDecl& variable) {
  clang::QualType type = variable.getType();
  type.removeLocalConst();
  if (isDeducedLater(variable))
    return fmt::format("std::decay_t<decltype({})> {}",
                       source.textOf(variable.getInit()->getSourceRange()),
                       variable.getNameAsString());
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
                                 const std::vector<const clang::Stmt*>& users, Objects objects) {
  std::set<const VarDecl*> used;
  const auto use = [&](const clang::Stmt& user) {
    const std::vector<const VarDecl*> names = variablesIn(user);
    used.insert(names.begin(), names.end());
  };
  for (const clang::Stmt* user : users)
    use(*user);
  std::vector<const clang::DeclStmt*> needed; // the last one first
  for (const clang::Stmt* statement : statements | std::views::reverse) {
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declares == nullptr)
      continue;
    if (llvm::isa<clang::TypeDecl>(*declares->decl_begin()))
      return refuse(common["unhoistable-declaration"],
                    "line {} declares a type: declare it further out",
                    source.lineOf(declares->getBeginLoc()));
    const std::vector<const VarDecl*> variables = declaredIn(*declares);
    if (std::ranges::none_of(variables, [&](const VarDecl* each) { return used.contains(each); }))
      continue;
    needed.push_back(declares);
    for (const VarDecl* variable : variables)
      if (isDeducedLater(*variable))
        use(*variable->getInit()); // its type is written with it
  }
  Hoisted result;
  for (const clang::DeclStmt* declares : needed | std::views::reverse)
    if (auto hoisted = hoistOne(source, *declares, objects, result); !hoisted)
      return tl::unexpected(hoisted.error());
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

bool hidesOther(const clang::Stmt& loop, const VarDecl& variable) {
  const std::vector<const VarDecl*> inside = declaredIn(loop);
  return std::ranges::any_of(variablesIn(loop), [&](const VarDecl* other) {
    return other->getName() == variable.getName() &&
           std::ranges::find(inside, other) == inside.end();
  });
}

} // namespace heddle::rewrite
