// SPDX-License-Identifier: Apache-2.0
//
//   1. Every place that the body assigns or counts, other than a whole variable of the thread.
//   2. Is it the same for all items? What it is reached by neither changes nor is read from memory.
//   3. Names of it: the same words with the same meaning.
#include "rewrite/rows/JoinedPlaces.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

struct Assignment {
  const Expr* place;
  const Expr* value; ///< nullptr: it depends on what was there
};

class Assignments final : public TreeVisitor {
public:
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const bool isPlain = operation->getOpcode() == clang::BO_Assign;
    if (operation->isAssignmentOp())
      found.push_back({operation->getLHS(), isPlain ? operation->getRHS() : nullptr});
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      found.push_back({operation->getSubExpr(), nullptr});
    return true;
  }
  std::vector<Assignment> found;
};

/// Names of variables, but for those inside of some expressions.
class NamesBeside final : public TreeVisitor {
public:
  explicit NamesBeside(std::set<const Expr*> but) : but_(std::move(but)) {}
  bool aroundStatement(Stmt* statement, Walk inside) override {
    return but_.contains(llvm::dyn_cast<Expr>(statement)) || inside();
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (variable != nullptr && std::ranges::find(found, variable) == found.end())
      found.push_back(variable);
    return true;
  }
  std::vector<const VarDecl*> found;

private:
  std::set<const Expr*> but_;
};

std::string wordsOf(const Source& source, const Expr& expression) {
  std::string text = source.textOf(expression.getSourceRange());
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

bool isShared(const VarDecl& variable) {
  return variable.hasAttr<clang::CUDASharedAttr>();
}

/// Where a place begins, and by which expressions it is reached from there.
struct Path {
  const VarDecl* local = nullptr; ///< a variable of the thread that it is a part of
  bool isMemory = false;
  std::vector<const Expr*> by;
  bool hasVariableIndex = false;
};

std::optional<Path> pathTo(const Expr* place, const clang::ASTContext& ast) {
  Path path;
  for (;;) {
    place = place->IgnoreParens();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (field == nullptr || field->isBitField())
        return std::nullopt;
      place = member->getBase();
      if (!member->isArrow())
        continue;
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      Expr::EvalResult result;
      const bool isConstant =
          !element->getIdx()->isValueDependent() && element->getIdx()->EvaluateAsInt(result, ast);
      path.hasVariableIndex = path.hasVariableIndex || !isConstant;
      path.by.push_back(element->getIdx());
      place = element->getBase()->IgnoreParenImpCasts();
      if (place->getType()->isArrayType())
        continue;
    } else if (const auto* star = llvm::dyn_cast<clang::UnaryOperator>(place);
               star != nullptr && star->getOpcode() == clang::UO_Deref) {
      place = star->getSubExpr();
    } else {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
      const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
      if (variable == nullptr)
        return std::nullopt;
      if (variable->getType()->isReferenceType()) {
        const bool isNamed = variable->hasLocalStorage() && variable->hasInit() &&
                             !llvm::isa<clang::ParmVarDecl>(variable);
        const auto meant = isNamed ? pathTo(variable->getInit(), ast) : std::nullopt;
        if (!meant || !meant->isMemory)
          return std::nullopt;
        path.isMemory = true;
      } else {
        path.isMemory = !variable->hasLocalStorage();
        path.local = path.isMemory ? nullptr : variable;
      }
      return path;
    }
    path.by.push_back(place); // a pointer
    path.isMemory = true;
    return path;
  }
}

} // namespace

const Expr* JoinedPlaces::bare(const Expr* expression) {
  if (const auto* cleaned = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
    expression = cleaned->getSubExpr();
  return expression->IgnoreParenImpCasts();
}

namespace {

class PlaceFinder {
public:
  PlaceFinder(const Source& source, const RowLoop& loop, const std::set<const VarDecl*>& changed)
      : source_(source), loop_(loop), changed_(changed), fresh_(source, *loop.function),
        leaves_(!findExits(*loop.body).breaks.empty()) {
    for (const VarDecl* each : declaredIn(*loop.body))
      inner_.insert(each);
    assigned_.TraverseStmt(const_cast<Stmt*>(loop.body));
  }

  std::vector<JoinedPlace> find();

private:
  bool isFixed(const Expr& part) const;
  bool isPlace(const Expr& place, const Path& path) const;
  bool isOnlySet(const Expr& place) const;
  std::string nameFor(const Expr& place);
  void findNames(JoinedPlace& place, const Expr& first) const;

  const Source& source_;
  const RowLoop& loop_;
  const std::set<const VarDecl*>& changed_;
  FreshNames fresh_;
  bool leaves_;
  std::set<const VarDecl*> inner_;
  Assignments assigned_;
};

/// Step 2.
bool PlaceFinder::isFixed(const Expr& part) const {
  const Effects effects = effectsOf(part);
  return effects.pure() && readsNoMemory(part) &&
         std::ranges::none_of(effects.reads, [&](const VarDecl* each) {
           return each == loop_.item || inner_.contains(each) || changed_.contains(each) ||
                  isShared(*each);
         });
}

bool PlaceFinder::isPlace(const Expr& place, const Path& path) const {
  const clang::QualType type = place.getType();
  if (!type->isScalarType() || type->isDependentType() || type.hasQualifiers())
    return false;
  const bool isPart = path.local != nullptr && !inner_.contains(path.local) &&
                      path.local != loop_.item && !path.hasVariableIndex;
  return (path.isMemory || isPart) &&
         std::ranges::all_of(path.by, [&](const Expr* each) { return isFixed(*each); });
}

/// To constants, and never read: any item may do it.
bool PlaceFinder::isOnlySet(const Expr& place) const {
  const std::string words = wordsOf(source_, place);
  return !leaves_ && std::ranges::all_of(assigned_.found, [&](const Assignment& each) {
    const bool isConstant = each.value != nullptr && !each.value->isValueDependent() &&
                            each.value->isEvaluatable(source_.ast());
    return isConstant || wordsOf(source_, *each.place->IgnoreParens()) != words;
  });
}

/// A variable keeps its own: inside of the body it is another one then.
std::string PlaceFinder::nameFor(const Expr& place) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&place))
    return name->getDecl()->getNameAsString();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(&place);
  const auto* of =
      member != nullptr
          ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
          : nullptr;
  if (member == nullptr)
    return fresh_.make("part");
  std::string name = member->getMemberDecl()->getNameAsString();
  if (of != nullptr) {
    name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
    name = of->getDecl()->getNameAsString() + name;
  }
  return fresh_.make(name);
}

/// Step 3.
void PlaceFinder::findNames(JoinedPlace& place, const Expr& first) const {
  class Finder final : public TreeVisitor {
  public:
    Finder(const Source& source, const Expr& first)
        : source_(source), first_(first), words_(wordsOf(source, first)),
          variables_(variablesIn(first)) {}
    bool aroundStatement(Stmt* statement, Walk inside) override {
      const auto* same = llvm::dyn_cast<Expr>(statement);
      if (same == nullptr || same->getStmtClass() != first_.getStmtClass() ||
          wordsOf(source_, *same) != words_ || variablesIn(*same) != variables_)
        return inside();
      found.push_back(same);
      return true;
    }
    std::vector<const Expr*> found;

  private:
    const Source& source_;
    const Expr& first_;
    std::string words_;
    std::vector<const VarDecl*> variables_;
  } finder(source_, first);
  finder.TraverseStmt(const_cast<Stmt*>(loop_.body));
  place.names = std::move(finder.found);
}

std::vector<JoinedPlace> PlaceFinder::find() {
  std::vector<JoinedPlace> found;
  for (const Assignment& each : assigned_.found) {
    const Expr* place = each.place->IgnoreParens();
    const auto path = pathTo(place, source_.ast());
    const bool isVariable = path && path->local != nullptr && llvm::isa<clang::DeclRefExpr>(place);
    if (!path || isVariable || !isPlace(*place, *path) || !source_.rangeOf(place->getSourceRange()))
      continue;
    if (path->isMemory && isOnlySet(*place))
      continue;
    JoinedPlace joined{nullptr, source_.textOf(place->getSourceRange()), {}, path->isMemory};
    if (std::ranges::any_of(found, [&](const JoinedPlace& known) {
          return std::ranges::find(known.names, place) != known.names.end();
        }))
      continue;
    findNames(joined, *place);
    clang::ASTContext& ast = source_.ast();
    clang::IdentifierInfo& name = ast.Idents.get(nameFor(*place));
    joined.variable =
        VarDecl::Create(ast, ast.getTranslationUnitDecl(), place->getBeginLoc(),
                        place->getBeginLoc(), &name, place->getType(), nullptr, clang::SC_Auto);
    found.push_back(std::move(joined));
  }
  return found;
}

} // namespace

JoinedPlaces::JoinedPlaces(const Source& source, const RowLoop& loop,
                           std::set<const VarDecl*> changed)
    : changed_(std::move(changed)), places_(PlaceFinder(source, loop, changed_).find()) {
  for (const JoinedPlace& each : places_)
    for (const Expr* name : each.names)
      standing_.emplace(name, each.variable);
}

const VarDecl* JoinedPlaces::of(const Expr* expression) const {
  const Expr* name = bare(expression);
  if (const auto standing = standing_.find(name); standing != standing_.end())
    return standing->second;
  const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(name);
  const auto* named = variable != nullptr ? llvm::dyn_cast<VarDecl>(variable->getDecl()) : nullptr;
  return changed_.contains(named) ? named : nullptr;
}

std::vector<const Expr*> JoinedPlaces::namesIn(const Stmt& code) const {
  class Finder final : public TreeVisitor {
  public:
    explicit Finder(const JoinedPlaces& places) : places_(places) {}
    bool aroundStatement(Stmt* statement, Walk inside) override {
      const auto* name = llvm::dyn_cast<Expr>(statement);
      const bool isIt =
          name != nullptr && (places_.standing_.contains(name) ||
                              (llvm::isa<clang::DeclRefExpr>(name) && places_.of(name) != nullptr));
      if (!isIt)
        return inside();
      found.push_back(name);
      return true;
    }
    std::vector<const Expr*> found;

  private:
    const JoinedPlaces& places_;
  } finder(*this);
  finder.TraverseStmt(const_cast<Stmt*>(&code));
  return std::move(finder.found);
}

bool readsNoMemory(const Expr& value) {
  const Expr* bare = value.IgnoreParenCasts();
  if (!builtinOf(bare).empty())
    return true;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (binary != nullptr && !binary->isAssignmentOp())
    return readsNoMemory(*binary->getLHS()) && readsNoMemory(*binary->getRHS());
  return !effectsOf(*bare).loads;
}

bool JoinedPlaces::mentionedIn(const Stmt& code) const {
  return !namesIn(code).empty();
}

std::vector<const VarDecl*> variablesBeside(const Stmt& code,
                                            const std::vector<JoinedPlace>& places) {
  std::set<const Expr*> but;
  for (const JoinedPlace& each : places)
    but.insert(each.names.begin(), each.names.end());
  NamesBeside names(std::move(but));
  names.TraverseStmt(const_cast<Stmt*>(&code));
  return std::move(names.found);
}

} // namespace heddle::rewrite
