// SPDX-License-Identifier: Apache-2.0
#include "rewrite/share_init/ShareInit.h"

#include "rewrite/code/CallFollower.h"
#include "rewrite/share_init/Refusals.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace heddle::rewrite::share_init {
namespace {

using clang::CallExpr;

/// Of XORWOW's state; the other generators skip in a few products of numbers.
bool startsXorwow(const clang::FunctionDecl& function) {
  constexpr unsigned state = 3; // seed, sequence, offset, state
  if (function.getNameAsString() != "curand_init" || function.getNumParams() != state + 1)
    return false;
  const clang::QualType pointee = function.getParamDecl(state)->getType()->getPointeeType();
  const clang::CXXRecordDecl* record = pointee.isNull() ? nullptr : pointee->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "curandStateXORWOW";
}

/// Calls of a kernel and of what it calls, at a sequence that is no constant.
class Starts final : public CallFollower {
public:
  bool VisitCallExpr(CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || !startsXorwow(*callee))
      return CallFollower::VisitCallExpr(call);
    const clang::Expr& sequence = *call->getArg(1);
    if (!sequence.isValueDependent() && !sequence.isEvaluatable(callee->getASTContext()))
      found.push_back(call);
    return true;
  }

  std::vector<const CallExpr*> found;
};

} // namespace

Legal<std::vector<Proposal>> proposeSharedStart(const Source& source, const Target& target) {
  Starts starts;
  starts.TraverseStmt(target.kernel->getBody());
  if (starts.found.empty())
    return refuse(refusals["no-generator"],
                  "{} calls no curand_init of XORWOW whose sequence differs from thread to thread",
                  target.kernel->getNameAsString());
  Edits edits = source.include("heddle/random.cuh");
  for (const CallExpr* call : starts.found) {
    const auto range = source.rangeOf(call->getCallee()->getSourceRange());
    if (!range)
      return refuse(refusals["macro-in-the-way"],
                    "curand_init in line {} comes from a macro or from another file",
                    source.lineOf(call->getBeginLoc()));
    edits.replace(*range, "heddle::curand_init");
  }
  return std::vector<Proposal>{{"", std::move(edits)}};
}

const Rewrite room{
    .name = "share-init",
    .summary = "let the lanes of a warp share the work of curand_init",
    .ofKernel = true,
    .needs = {7, 0},
    .refusals = refusals,
    .propose = proposeSharedStart,
};

} // namespace heddle::rewrite::share_init
