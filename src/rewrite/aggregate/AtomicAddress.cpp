// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/AtomicAddress.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace heddle::rewrite::aggregate {
namespace {

using clang::Expr;

const Expr& bare(const Expr& expression) {
  return *expression.IgnoreParenImpCasts();
}

/// A variable of the device, seen by all kernels of the file.
bool isOfDevice(const clang::VarDecl& variable) {
  return variable.hasGlobalStorage() && !variable.isStaticLocal() &&
         variable.hasAttr<clang::CUDADeviceAttr>() && !variable.hasAttr<clang::CUDASharedAttr>() &&
         !variable.getType().isVolatileQualified();
}

/// Reads an address from the outside in; each step says whether it understands what it sees.
class Reader {
public:
  Reader(const Source& source, const std::set<const clang::VarDecl*>& modified)
      : source_(source), modified_(modified) {}

  bool address(const Expr& expression) {
    const Expr& e = bare(expression);
    if (const auto* of = llvm::dyn_cast<clang::UnaryOperator>(&e);
        of != nullptr && of->getOpcode() == clang::UO_AddrOf)
      return place(*of->getSubExpr());
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&e))
      return address(*cast->getSubExpr()) && retype(*cast);
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&e);
        sum != nullptr && sum->getOpcode() == clang::BO_Add)
      return element(*sum->getLHS(), *sum->getRHS());
    return first(e);
  }

  AtomicAddress found;

private:
  /// An object in memory.
  bool place(const Expr& expression) {
    const Expr& e = *expression.IgnoreParens();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      return variable != nullptr && isOfDevice(*variable) && root(*variable, nullptr);
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(&e))
      return element(*subscript->getLHS(), *subscript->getRHS());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&e))
      return memberOf(*member);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&e);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref)
      return first(*unary->getSubExpr());
    return false;
  }

  bool memberOf(const clang::MemberExpr& member) {
    if (member.isArrow() ? !first(*member.getBase()) : !place(*member.getBase()))
      return false;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (field == nullptr || field->isBitField() || field->getParent()->isUnion())
      return false;
    found.name = field->getNameAsString();
    found.path += "." + found.name;
    found.fields += "." + found.name;
    found.words = found.index = nullptr;
    found.isPlain = false;
    return true;
  }

  /// What a pointer or an array leads to, without a load from memory that others may change.
  bool pointer(const Expr& expression) {
    const Expr& e = bare(expression);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr)
        return false;
      const bool isArray = isOfDevice(*variable) && variable->getType()->isArrayType();
      const bool isParameter = llvm::isa<clang::ParmVarDecl>(variable) &&
                               variable->getType()->isPointerType() &&
                               !variable->getType()->getPointeeType().isVolatileQualified();
      return (isArray || isParameter) && root(*variable, nullptr);
    }
    if (e.getType()->isArrayType())
      return place(e);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(&e);
    if (member == nullptr || member->isArrow() || !e.getType()->isPointerType())
      return false;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&bare(*member->getBase()));
    const auto* view =
        name != nullptr ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return view != nullptr && field != nullptr && view->getType()->isRecordType() &&
           root(*view, field);
  }

  bool root(const clang::VarDecl& variable, const clang::FieldDecl* member) {
    if (modified_.contains(&variable) && llvm::isa<clang::ParmVarDecl>(variable))
      return false;
    found.root = {&variable, member};
    found.name = member != nullptr ? member->getNameAsString() : variable.getNameAsString();
    return true;
  }

  /// What a pointer points to.
  bool first(const Expr& of) {
    if (!pointer(of))
      return false;
    found.path += "[0]";
    found.words = found.isFixed ? &of : nullptr;
    found.index = nullptr;
    return true;
  }

  bool element(const Expr& of, const Expr& index) {
    if (!pointer(of))
      return false;
    found.words = found.isFixed ? &of : nullptr;
    found.index = &index;
    subscript(index);
    return true;
  }

  void subscript(const Expr& index) {
    Expr::EvalResult number;
    if (!index.isValueDependent() && !index.isTypeDependent() &&
        index.EvaluateAsInt(number, source_.ast())) {
      const std::string text = llvm::toString(number.Val.getInt(), 10);
      found.path += "[" + text + "]";
      found.name += text == "0" ? "" : text;
      found.isFixed = found.isFixed && isUniform(index);
    } else {
      found.path += "[" + source_.textOf(index.getSourceRange()) + "]";
      found.isExact = false;
      found.isFixed = found.isFixed && isUniform(index);
    }
  }

  /// Numbers and parameters that stay as they are, and sums of these.
  bool isUniform(const Expr& expression) const {
    const Expr& e = bare(expression);
    if (llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral>(e))
      return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&e)) {
      if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(name->getDecl()))
        return true;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr || modified_.contains(variable))
        return false;
      return (llvm::isa<clang::ParmVarDecl>(variable) && variable->getType()->isIntegerType()) ||
             (variable->isFileVarDecl() && variable->getType().isConstQualified() &&
              variable->hasInit());
    }
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&e);
    return sum != nullptr && (sum->isAdditiveOp() || sum->isMultiplicativeOp()) &&
           isUniform(*sum->getLHS()) && isUniform(*sum->getRHS());
  }

  /// The same bits as another type.
  bool retype(const clang::ExplicitCastExpr& cast) {
    found.words = found.index = nullptr;
    found.isPlain = false;
    const clang::QualType from = cast.getSubExpr()->getType(), to = cast.getType();
    if (!to->isPointerType() || !from->isPointerType() || to->isDependentType() ||
        from->isDependentType() || from->getPointeeType()->isIncompleteType() ||
        to->getPointeeType()->isIncompleteType() || !from->getPointeeType()->isScalarType())
      return false;
    return source_.ast().getTypeSize(from->getPointeeType()) ==
           source_.ast().getTypeSize(to->getPointeeType());
  }

  const Source& source_;
  const std::set<const clang::VarDecl*>& modified_;
};

} // namespace

AtomicAddress addressOf(const Source& source, const clang::CallExpr& atomic,
                        const std::set<const clang::VarDecl*>& modified) {
  Reader reader(source, modified);
  if (!reader.address(*atomic.getArg(0)))
    return {};
  return std::move(reader.found);
}

} // namespace heddle::rewrite::aggregate
