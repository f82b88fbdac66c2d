// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/FloatSums.h"

#include "rewrite/code/CallFollower.h"

namespace heddle::rewrite {
namespace {

class FloatSumFinder final : public CallFollower {
public:
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const clang::BinaryOperatorKind kind =
        operation->isCompoundAssignmentOp()
            ? clang::BinaryOperator::getOpForCompoundAssignment(operation->getOpcode())
            : operation->getOpcode();
    found = clang::BinaryOperator::isAdditiveOp(kind) && operation->getType()->isFloatingType();
    return !found;
  }

  bool found = false;
};

} // namespace

bool addsFloats(const clang::Stmt& code) {
  FloatSumFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return finder.found;
}

} // namespace heddle::rewrite
