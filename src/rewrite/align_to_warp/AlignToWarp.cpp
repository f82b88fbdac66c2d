// SPDX-License-Identifier: Apache-2.0
#include "rewrite/align_to_warp/AlignToWarp.h"

#include "rewrite/align_to_warp/Refusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/code/Words.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

namespace heddle::rewrite::align_to_warp {
namespace {

/// `name.x` of a built-in variable.
bool isBuiltin(const clang::Expr& value, llvm::StringRef name) {
  const clang::Expr* bare = value.IgnoreParenCasts();
  if (const auto* built = llvm::dyn_cast<clang::PseudoObjectExpr>(bare))
    bare = built->getSyntacticForm();
  const auto* property = llvm::dyn_cast<clang::MSPropertyRefExpr>(bare);
  if (property == nullptr || property->getPropertyDecl()->getName() != "x")
    return false;
  const clang::Expr* base = property->getBaseExpr()->IgnoreParenCasts();
  if (const auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(base))
    base = opaque->getSourceExpr();
  const auto* variable = llvm::dyn_cast_or_null<clang::DeclRefExpr>(base);
  return variable != nullptr && variable->getNameInfo().getAsString() == name;
}

bool isMultipleOfBlock(const clang::Expr& value) {
  const auto* product = llvm::dyn_cast<clang::BinaryOperator>(value.IgnoreParenCasts());
  return product != nullptr && product->getOpcode() == clang::BO_Mul &&
         (isBuiltin(*product->getLHS(), "blockDim") || isBuiltin(*product->getRHS(), "blockDim"));
}

/// threadIdx.x, that and a multiple of the block, or a variable that begins as one of these.
bool isThreadIndex(const clang::Expr& value) {
  const clang::Expr* bare = value.IgnoreParenCasts();
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(bare);
      sum != nullptr && sum->getOpcode() == clang::BO_Add)
    return (isMultipleOfBlock(*sum->getLHS()) && isThreadIndex(*sum->getRHS())) ||
           (isMultipleOfBlock(*sum->getRHS()) && isThreadIndex(*sum->getLHS()));
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable != nullptr && variable->hasLocalStorage() && variable->hasInit())
    return isThreadIndex(*variable->getInit());
  return isBuiltin(*bare, "threadIdx");
}

/// After how many threads a condition repeats: `t % 3` and `t & 2` have periods of 3 and 4.
class Periods final : public TreeVisitor {
public:
  explicit Periods(const clang::ASTContext& ast) : ast_(ast) {}

  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const bool rest = operation->getOpcode() == clang::BO_Rem;
    clang::Expr::EvalResult by;
    if ((!rest && operation->getOpcode() != clang::BO_And) || operation->isValueDependent() ||
        !isThreadIndex(*operation->getLHS()) || !operation->getRHS()->EvaluateAsInt(by, ast_))
      return true;
    const std::uint64_t number = by.Val.getInt().getLimitedValue();
    period = rest ? number : llvm::NextPowerOf2(number);
    return false;
  }

  std::uint64_t period = 0;

private:
  const clang::ASTContext& ast_;
};

std::uint64_t periodOf(const Source& source, const clang::Stmt& branch) {
  const clang::Expr* condition = nullptr;
  if (const auto* either = llvm::dyn_cast<clang::IfStmt>(&branch))
    condition = either->getCond();
  else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&branch))
    condition = choice->getCond();
  else if (const auto* operands = llvm::dyn_cast<clang::ConditionalOperator>(&branch))
    condition = operands->getCond();
  Periods periods(source.ast());
  periods.TraverseStmt(const_cast<clang::Expr*>(condition));
  return periods.period;
}

/// What a kernel's text has of threadIdx.x, and who asks for the size of a warp.
class IndexNames final : public TreeVisitor {
public:
  bool aroundStatement(clang::Stmt* statement, Walk inside) override {
    const auto* built = llvm::dyn_cast<clang::PseudoObjectExpr>(statement);
    if (built == nullptr)
      return inside();
    if (isBuiltin(*built, "threadIdx"))
      found.push_back(built);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasInit() && isBuiltin(*variable->getInit(), "threadIdx"))
      own.push_back(variable);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const std::string text = name->getNameInfo().getAsString();
    if (text == "threadIdx")
      whole = name;
    if (text == "warpSize")
      warpSize = name;
    return true;
  }

  std::vector<const clang::Expr*> found;
  std::vector<const clang::VarDecl*> own; ///< variables that are just threadIdx.x
  const clang::Expr* whole = nullptr;
  const clang::Expr* warpSize = nullptr;
};

Legal<void> checkShape(const Measured& measured, std::uint64_t period) {
  const auto& block = measured.block;
  if (block[0] == 0)
    return refuse(refusals["block-size-unknown"],
                  "the launches have blocks of different or unknown sizes");
  if (block[1] > 1 || block[2] > 1)
    return refuse(refusals["block-shape"], "blocks of {} x {} x {} threads are not in one row",
                  block[0], block[1], block[2]);
  if (std::uint64_t(block[0]) % (warpSize * period) != 0)
    return refuse(refusals["block-size"], "blocks of {} threads are no multiple of {} warps",
                  block[0], period);
  return {};
}

Legal<void> checkUses(const Source& source, const Placed& instance) {
  const clang::Stmt& body = *instance.around.back();
  IndexNames names;
  names.TraverseStmt(const_cast<clang::Stmt*>(&body));
  if (names.warpSize != nullptr)
    return refuse(communication["sync-op-inside"],
                  "line {} asks for warpSize, so the kernel may count lanes",
                  source.lineOf(names.warpSize->getBeginLoc()));
  if (names.whole != nullptr)
    return refuse(refusals["thread-index-inside"], "line {} takes all of threadIdx: take its x",
                  source.lineOf(names.whole->getBeginLoc()));
  if (const ThreadIndexUses uses = findThreadIndex(body); !uses.calls.empty())
    return refuse(refusals["thread-index-inside"], "line {} calls {}, which uses threadIdx",
                  source.lineOf(uses.calls.front()->getBeginLoc()),
                  uses.calls.front()->getDirectCallee()->getNameAsString());
  return refuseWarpCommunication(source, body);
}

/// The new number takes the place of threadIdx.x where a variable holds all there is of it, else
/// it gets a variable of its own.
Legal<Edits> renumber(const Source& source, const clang::FunctionDecl& kernel,
                      std::uint64_t period) {
  IndexNames names;
  names.TraverseStmt(kernel.getBody());
  const std::string number = fmt::format(
      "threadIdx.x % (blockDim.x / {0}) * {0} + threadIdx.x / (blockDim.x / {0})", period);
  const bool inPlace = names.found.size() == 1 && names.own.size() == 1;
  const std::string text = source.textOf(kernel.getBody()->getSourceRange());
  const std::string name = hasWord(text, "thread") ? "alignedThread" : "thread";
  Edits edits = source.include("cassert");
  for (const clang::Expr* each : names.found) {
    const auto range = source.rangeOf(each->getSourceRange());
    if (!range)
      return refuse(refusals["macro-in-the-way"], "threadIdx.x in line {} comes from a macro",
                    source.lineOf(each->getBeginLoc()));
    edits.replace(*range, inPlace ? number : name);
  }
  const auto* body = llvm::cast<clang::CompoundStmt>(kernel.getBody());
  const auto first = source.rangeOf(*body->body_front());
  if (!first)
    return refuse(refusals["macro-in-the-way"], "the kernel begins with a macro");
  const std::string indent = "\n" + source.indentAt(first->begin);
  std::string lines = fmt::format("assert(blockDim.x % {} == 0);{}", period, indent);
  if (!inPlace)
    lines += fmt::format("const unsigned {} = {};{}", name, number, indent);
  edits.insert(first->begin, lines);
  return edits;
}

} // namespace

Legal<std::vector<Proposal>> proposeAlignedThreads(const Source& source, const Target& target) {
  const BranchStatement& branch = *target.branch;
  const std::uint64_t period = periodOf(source, *branch.instances.front().statement);
  if (period < 2 || period > warpSize)
    return refuse(refusals["not-on-thread-index"],
                  "the branch does not take threadIdx.x modulo a constant below {}", warpSize);
  if (!branch.function->hasAttr<clang::CUDAGlobalAttr>())
    return refuse(refusals["not-in-kernel"],
                  "the branch is in {}, and a kernel must hold it itself",
                  branch.function->getNameAsString());
  if (auto fits = checkShape(target.measured, period); !fits)
    return tl::unexpected(fits.error());
  for (const Placed& instance : branch.instances)
    if (auto legal = checkUses(source, instance); !legal)
      return tl::unexpected(legal.error());
  auto edits = renumber(source, *branch.function, period);
  if (!edits)
    return tl::unexpected(edits.error());
  return std::vector{Proposal{"", std::move(*edits)}};
}

const Rewrite room{
    .name = "align-to-warp",
    .summary = "number the threads of a block anew, so that those of one way share warps",
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeAlignedThreads,
};

} // namespace heddle::rewrite::align_to_warp
