// SPDX-License-Identifier: Apache-2.0
//
//   1. The call: there is one, and its statement stands in a block.
//   2. The function: it ends in its last line, and the names it uses mean the same in the kernel.
//   3. The text: parameters, body, and a variable for what it returns.
#include "rewrite/code/InlineCall.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/code/Words.h"

#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite {
namespace {

template <class T> using OrWhy = tl::expected<T, std::string>;

template <class... Args>
tl::unexpected<std::string> because(fmt::format_string<Args...> why, Args&&... args) {
  return tl::unexpected(fmt::format(why, std::forward<Args>(args)...));
}

/// The calls of a function, each with the statement of a block that it is part of.
class CallsOf final : public TreeVisitor {
public:
  explicit CallsOf(const clang::FunctionDecl& function) : function_(function) {}

  bool aroundStatement(clang::Stmt* code, Walk inside) override {
    around_.push_back(code);
    const bool goesOn = inside();
    around_.pop_back();
    return goesOn;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    if (callee == nullptr || callee->getCanonicalDecl() != function_.getCanonicalDecl())
      return true;
    this->call = call;
    ++count;
    for (std::size_t i = around_.size(); i-- > 1;)
      if (llvm::isa<clang::CompoundStmt>(around_[i - 1])) {
        statement = around_[i];
        break;
      }
    return true;
  }

  int count = 0;
  const clang::CallExpr* call = nullptr;
  const clang::Stmt* statement = nullptr;

private:
  const clang::FunctionDecl& function_;
  std::vector<clang::Stmt*> around_;
};

/// What code names that is declared outside of functions, and where it returns.
class Body final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (!use->getDecl()->getDeclContext()->isFunctionOrMethod())
      outer.insert(use->getDecl()->getNameAsString());
    return true;
  }
  bool aroundStatement(clang::Stmt* code, Walk inside) override {
    returns += llvm::isa<clang::ReturnStmt>(code) ? 1 : 0;
    return inside();
  }

  std::set<std::string> outer;
  int returns = 0;
};

class Inliner {
public:
  Inliner(const Source& source, const clang::FunctionDecl& kernel,
          const clang::FunctionDecl& function)
      : source_(source), kernel_(kernel), function_(function), calls_(function),
        name_(function.getNameAsString()) {}

  OrWhy<InlinedCall> make();

private:
  OrWhy<void> findCall();
  OrWhy<void> checkFunction();
  OrWhy<void> declareParameters();
  /// The variable that the statement gives the returned value to, if it can be used as it is.
  const clang::VarDecl* ownVariable() const;
  std::string bodyText() const;
  std::string statementWith(const std::string& value) const;
  void nameResult();
  bool mayMoveInside() const;
  bool isValueOfStatement() const;

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const clang::FunctionDecl& function_;
  CallsOf calls_;
  std::string name_;
  Range statement_;
  const clang::ReturnStmt* last_ = nullptr; ///< the return at its end
  std::string parameters_;
  std::string result_;         ///< the variable for what it returns; empty: none is needed
  std::string before_, after_; ///< what stands around it
};

/// Whether nothing of the statement is evaluated but the call and where its value goes.
bool Inliner::isValueOfStatement() const {
  const auto isCall = [&](const clang::Expr* value) {
    return value != nullptr && value->IgnoreParenImpCasts() == calls_.call;
  };
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(calls_.statement)) {
    const auto* const variable = declared->isSingleDecl()
                                     ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                                     : nullptr;
    return variable != nullptr && !variable->isStaticLocal() && isCall(variable->getInit());
  }
  if (const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(calls_.statement))
    return assigned->isAssignmentOp() && isCall(assigned->getRHS());
  return calls_.statement == calls_.call;
}

/// Step 1.
OrWhy<void> Inliner::findCall() {
  calls_.TraverseStmt(kernel_.getBody());
  if (calls_.count != 1)
    return because("{} calls it {}", kernel_.getNameAsString(),
                   calls_.count == 0 ? "through another function"
                                     : fmt::format("{} times", calls_.count));
  if (calls_.statement == nullptr || !isValueOfStatement())
    return because("its call in line {} is part of a larger expression: give its value to a "
                   "variable",
                   source_.lineOf(calls_.call->getBeginLoc()));
  const auto range = source_.rangeOf(*calls_.statement);
  if (!range || !source_.rangeOf(calls_.call->getSourceRange()))
    return because("its call in line {} comes from a macro",
                   source_.lineOf(calls_.call->getBeginLoc()));
  statement_ = *range;
  return {};
}

/// Step 2.
OrWhy<void> Inliner::checkFunction() {
  if (llvm::isa<clang::CXXMethodDecl>(function_) || function_.isVariadic() ||
      function_.isTemplateInstantiation() || function_.getDescribedFunctionTemplate() != nullptr)
    return because("{} is a member or a template", name_);
  const auto* const block = llvm::dyn_cast<clang::CompoundStmt>(function_.getBody());
  if (block == nullptr || block->body_empty() || !source_.rangeOf(*block))
    return because("the body of {} comes from another file or a macro", name_);
  Body body;
  body.TraverseStmt(function_.getBody());
  last_ = llvm::dyn_cast<clang::ReturnStmt>(block->body_back());
  if (body.returns > (last_ != nullptr ? 1 : 0))
    return because("{} returns from within: let it return at its end alone", name_);
  for (const clang::VarDecl* variable : declaredIn(*kernel_.getBody()))
    if (body.outer.contains(variable->getNameAsString()))
      return because("{} has another meaning in {}", variable->getNameAsString(), name_);
  for (const clang::ParmVarDecl* parameter : kernel_.parameters())
    if (body.outer.contains(parameter->getNameAsString()))
      return because("{} has another meaning in {}", parameter->getNameAsString(), name_);
  return {};
}

OrWhy<void> Inliner::declareParameters() {
  std::set<std::string> declared;
  const std::set<const clang::VarDecl*> changed = modifiedIn(*function_.getBody());
  for (unsigned i = 0; i < function_.getNumParams(); ++i) {
    const clang::ParmVarDecl& parameter = *function_.getParamDecl(i);
    const std::string name = parameter.getNameAsString();
    const auto range = source_.rangeOf(parameter.getSourceRange());
    const std::string value = i < calls_.call->getNumArgs()
                                  ? source_.textOf(calls_.call->getArg(i)->getSourceRange())
                                  : "";
    if (!range || name.empty() || value.empty() || parameter.getOriginalType()->isArrayType())
      return because("parameter {} of {} is an array, or it or its value has no name", i + 1,
                     name_);
    const bool isSame = value == name;
    const auto means = [&](const std::string& other) { return hasWord(value, other); };
    const bool isTaken = isSame ? changed.contains(&parameter) : means(name);
    if (isTaken || std::ranges::any_of(declared, means))
      return because("{} stands for one thing in {} and for another in {}", name, name_,
                     kernel_.getNameAsString());
    if (isSame)
      continue;
    declared.insert(name);
    parameters_ += fmt::format("{} = {};\n", source_.textOf(*range), value);
  }
  return {};
}

const clang::VarDecl* Inliner::ownVariable() const {
  const auto* const declared = llvm::dyn_cast<clang::DeclStmt>(calls_.statement);
  const auto* const variable =
      declared != nullptr ? llvm::cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
  const bool isPlain =
      variable != nullptr && !variable->getType().isConstQualified() &&
      source_.ast().hasSameType(variable->getType(), function_.getReturnType()) &&
      !hasWord(source_.textOf(function_.getSourceRange()), variable->getNameAsString());
  return isPlain ? variable : nullptr;
}

/// Whether the statement may stand at the function's end: none of its names has another meaning
/// there.
bool Inliner::mayMoveInside() const {
  const Range call = *source_.rangeOf(calls_.call->getSourceRange());
  const std::string rest = source_.textOf(Range{statement_.begin, call.begin});
  const auto isNamed = [&](const clang::VarDecl* variable) {
    return hasWord(rest, variable->getNameAsString());
  };
  return !llvm::isa<clang::DeclStmt>(calls_.statement) &&
         std::ranges::none_of(function_.parameters(), isNamed) &&
         std::ranges::none_of(declaredIn(*function_.getBody()), isNamed);
}

/// The statement with something else in the place of the call.
std::string Inliner::statementWith(const std::string& value) const {
  Edits edits;
  edits.replace(*source_.rangeOf(calls_.call->getSourceRange()), value);
  return edits.apply(source_.text(), statement_);
}

/// Step 3: what is between its braces, with what becomes of the value in place of the return.
std::string Inliner::bodyText() const {
  const Range inside = *source_.insideOf(*function_.getBody());
  Edits edits;
  if (last_ != nullptr) {
    const clang::Expr* const returned = last_->getRetValue();
    const std::string value = returned != nullptr ? source_.textOf(returned->getSourceRange()) : "";
    edits.replace(*source_.rangeOf(*last_), value.empty()      ? ""
                                            : !result_.empty() ? result_ + " = " + value + ";"
                                            : calls_.statement == calls_.call
                                                ? "(void)(" + value + ");"
                                                : statementWith(value));
  }
  return edits.apply(source_.text(), inside);
}

/// Declares a variable for the value where the statement stays behind the function.
void Inliner::nameResult() {
  if (const clang::VarDecl* const own = ownVariable()) {
    result_ = own->getNameAsString();
    before_ = declarationOf(source_, *own) + ";\n";
    return;
  }
  FreshNames names(source_, kernel_);
  do
    result_ = names.make(name_ + "Value");
  while (hasWord(source_.textOf(function_.getSourceRange()), result_));
  before_ = fmt::format("{} {};\n", function_.getReturnType().getAsString(), result_);
  after_ = statementWith(result_);
}

OrWhy<InlinedCall> Inliner::make() {
  for (const auto step : {&Inliner::findCall, &Inliner::checkFunction, &Inliner::declareParameters})
    if (const auto done = (this->*step)(); !done)
      return tl::unexpected(done.error());
  if (calls_.statement != calls_.call && !mayMoveInside())
    nameResult();
  const std::string indent = source_.indentAt(statement_.begin);
  const std::string inner = indent + source_.indentUnit();
  const std::string begin = before_ + (before_.empty() ? "" : indent) + "{\n" +
                            (parameters_.empty() ? "" : indented(parameters_, inner) + "\n");
  const std::string body = indented(bodyText(), inner);
  const std::string end = "\n" + indent + "}" + (after_.empty() ? "" : "\n" + indent + after_);
  InlinedCall made;
  made.body = {statement_.begin + begin.size(), statement_.begin + begin.size() + body.size()};
  Edits edits;
  edits.replace(statement_, begin + body + end);
  made.text = edits.apply(source_.text());
  return made;
}

} // namespace

tl::expected<InlinedCall, std::string> inlineCall(const Source& source,
                                                  const clang::FunctionDecl& kernel,
                                                  const clang::FunctionDecl& function) {
  return Inliner(source, kernel, function).make();
}

} // namespace heddle::rewrite
