// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch lets one thread of the block or of each warp in, which is lane 0 of its warp; or
//   it
//      lets all others return, and the rest of the kernel is for the one.
//   2. Its statements: what all lanes may compute, what only the one thread may do, and loops whose
//      items they may share (Pieces.h).
//   3. The edits: who is let in, a call for each loop, inner branches around what is for one.
#include "rewrite/spread/Spread.h"

#include "rewrite/code/Effects.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/code/WarpValues.h"
#include "rewrite/rows/JoinedPlaces.h"
#include "rewrite/spread/OneThread.h"
#include "rewrite/spread/Pieces.h"
#include "rewrite/spread/Refusals.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <cctype>

namespace heddle::rewrite::spread {
namespace {

using clang::Expr;
using clang::Stmt;

class Spreader {
public:
  Spreader(const Source& source, const Target& target) : source_(source), target_(target) {}

  Legal<Proposal> spread();

private:
  Legal<void> findBranch();
  bool isBranch(const Stmt& statement);
  bool isReturn(const Stmt& statement);
  bool isCalledByOne() const;
  bool findReturnBefore(const clang::CompoundStmt& block, const Stmt& inside);
  Legal<void> checkShape() const;
  Legal<void> findParts();
  bool asksAlike(const Expr& condition) const;
  Rows rows() const {
    const int x = target_.measured.block[0];
    return x != 0 && x % warpSize == 0 ? Rows::OfWarps : Rows::Any;
  }
  std::string firstLine() const;
  Legal<void> findTest();
  std::string textOf(const Expr& part) const { return source_.textOf(part.getSourceRange()); }
  void letIn(Edits& edits, Range whole) const;
  void guard(Edits& edits, const std::vector<const Stmt*>& statements) const;
  Proposal write(Range whole) const;
  int lineOf(const Stmt& statement) const { return source_.lineOf(statement.getBeginLoc()); }

  const Source& source_;
  const Target& target_;
  const clang::IfStmt* branch_ = nullptr;
  const Stmt* function_ = nullptr; ///< its body
  OneThread thread_;
  bool leavesOthers_ = false; ///< the branch lets all others return
  Range test_;                ///< asks for the one thread
  std::string isOne_, isInWarp_;
  std::optional<WarpValues> values_;
  std::vector<Piece> pieces_;
};

/// Step 1: lets the one thread in.
bool Spreader::isBranch(const Stmt& statement) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement);
  const auto thread = branch != nullptr && !branch->hasInitStorage() && !branch->hasVarStorage()
                          ? readOneThread(source_, *branch->getCond(), *function_)
                          : std::nullopt;
  if (!thread)
    return false;
  branch_ = branch;
  thread_ = *thread;
  return true;
}

/// Step 1: lets all others return.
bool Spreader::isReturn(const Stmt& statement) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement);
  if (branch == nullptr || branch->hasInitStorage() || branch->hasVarStorage() ||
      branch->getElse() != nullptr)
    return false;
  const Stmt* then = branch->getThen();
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then);
  if (block != nullptr && block->size() == 1)
    then = block->body_front();
  const auto thread = llvm::isa<clang::ReturnStmt>(then)
                          ? readAllButOne(source_, *branch->getCond(), *function_)
                          : std::nullopt;
  if (!thread)
    return false;
  branch_ = branch;
  thread_ = *thread;
  leavesOthers_ = true;
  return true;
}

bool Spreader::findReturnBefore(const clang::CompoundStmt& block, const Stmt& inside) {
  for (const Stmt* each : block.body())
    if (each == &inside)
      return false;
    else if (isReturn(*each))
      return true;
  return false;
}

/// Whether the kernel calls the function around a loop where one thread is let in.
bool Spreader::isCalledByOne() const {
  class Finder final : public TreeVisitor {
  public:
    Finder(const Source& source, const clang::FunctionDecl& kernel,
           const clang::FunctionDecl& function)
        : source_(source), kernel_(kernel), function_(function) {}
    bool aroundStatement(Stmt* statement, Walk inside) override {
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
      const bool isOne =
          branch != nullptr && readOneThread(source_, *branch->getCond(), *kernel_.getBody());
      depth_ += isOne ? 1 : 0;
      const bool goesOn = inside();
      depth_ -= isOne ? 1 : 0;
      return goesOn;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      found = found || (depth_ > 0 && callee != nullptr &&
                        callee->getCanonicalDecl() == function_.getCanonicalDecl());
      return !found;
    }
    bool found = false;

  private:
    const Source& source_;
    const clang::FunctionDecl& kernel_;
    const clang::FunctionDecl& function_;
    int depth_ = 0;
  };
  if (target_.kernel == nullptr || !target_.kernel->hasBody())
    return false;
  Finder finder(source_, *target_.kernel, *target_.branch->function);
  finder.TraverseStmt(target_.kernel->getBody());
  return finder.found;
}

/// Step 1: the branch itself, or the innermost one around a loop.
Legal<void> Spreader::findBranch() {
  const Placed& placed = target_.branch->instances.front();
  function_ = placed.around.empty() ? nullptr : placed.around.back();
  std::vector<const Stmt*> chain = {placed.statement};
  chain.insert(chain.end(), placed.around.begin(), placed.around.end());
  for (const Stmt* each : chain)
    if (isBranch(*each))
      break;
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function_);
  if (branch_ == nullptr && body != nullptr && chain.size() > 1) {
    const Stmt& ofBody = *chain[chain.size() - 2];
    if (!isReturn(ofBody))
      findReturnBefore(*body, ofBody);
  }
  const bool isKernel = target_.branch->function->hasAttr<clang::CUDAGlobalAttr>();
  if (branch_ == nullptr && (isKernel || !isCalledByOne()))
    return refuse(refusals["not-one-thread"], "the branch does not let in one thread of a warp");
  if (!isKernel)
    return refuse(refusals["not-in-kernel"],
                  "the branch is in {}, and a kernel must hold it itself",
                  target_.branch->function->getNameAsString());
  if (branch_->getElse() != nullptr)
    return refuse(refusals["has-else"], "the branch in line {} has an else", lineOf(*branch_));
  values_.emplace(source_, *function_, rows());
  if (!asksAlike(*branch_->getCond()))
    return refuse(refusals["bounds-of-thread"],
                  "the condition in line {} reads or does something by the thread's own number",
                  lineOf(*branch_));
  return {};
}

/// The thread must be lane 0 of its warp.
Legal<void> Spreader::checkShape() const {
  const auto [x, y, z] = target_.measured.block;
  if (x == 0)
    return refuse(refusals["block-size-unknown"],
                  "launches have blocks of different sizes, or none was seen");
  const bool oneRow = thread_.of == OneThread::Of::Block &&
                      (y <= 1 || thread_.ofFirstRow() || thread_.inRows) && z <= 1;
  const bool oneWarp = thread_.of == OneThread::Of::Warp && y <= 1 && z <= 1;
  if (oneRow || oneWarp || x % warpSize == 0)
    return {};
  return refuse(refusals["block-rows"], "blocks have {} x {} rows of {} threads", y, z, x);
}

/// Whether other lanes may ask what stands beside the test for the thread.
bool Spreader::asksAlike(const Expr& condition) const {
  const Expr* bare = condition.IgnoreParenImpCasts();
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (both != nullptr && both->getOpcode() == (leavesOthers_ ? clang::BO_LOr : clang::BO_LAnd))
    return asksAlike(*both->getLHS()) && asksAlike(*both->getRHS());
  return bare == thread_.test ||
         (effectsOf(*bare).pure() && (readsNoMemory(*bare) || readsAlike(*bare, *values_, {})));
}

/// Step 2.
Legal<void> Spreader::findParts() {
  const Stmt* then = leavesOthers_ ? function_ : branch_->getThen();
  std::vector<const Stmt*> statements = {then};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then))
    statements.assign(block->body_begin(), block->body_end());
  if (leavesOthers_)
    statements.erase(statements.begin(), std::ranges::find(statements, branch_) + 1);
  auto pieces = cutPieces(source_, *function_, *values_, rows(), statements);
  if (!pieces && pieces.error().is(refusals["not-one-thread"]))
    return refuse(refusals["not-one-thread"], "the branch in line {} holds no loop of its own",
                  lineOf(*branch_));
  if (!pieces)
    return tl::unexpected(pieces.error());
  pieces_ = *std::move(pieces);
  return {};
}

/// That the thread is lane 0, as the run has shown.
std::string Spreader::firstLine() const {
  const int x = target_.measured.block[0];
  if (x % warpSize == 0)
    return "assert(blockDim.x % 32 == 0);";
  return thread_.ofFirstRow() || thread_.inRows ? "assert(blockDim.z == 1);"
                                                : "assert(blockDim.y == 1 && blockDim.z == 1);";
}

/// Rows of less than a warp: its lanes are counted through them.
Legal<void> Spreader::findTest() {
  const auto test = source_.rangeOf(thread_.test->getSourceRange());
  const bool isText = test && source_.rangeOf(thread_.number->getSourceRange());
  const bool byRows = isText && thread_.of == OneThread::Of::Block && thread_.ofFirstRow() &&
                      !thread_.inRows && target_.measured.block[0] % warpSize != 0;
  if (!isText)
    return refuse(refusals["macro-in-the-way"], "the branch in line {} has code from a macro",
                  lineOf(*branch_));
  const char* among = leavesOthers_ ? " >= 32" : " < 32";
  const std::string number = textOf(*thread_.number);
  test_ = *test;
  isOne_ = leavesOthers_ ? number + " == 0" : textOf(*thread_.test);
  isInWarp_ = number + among;
  if (!byRows)
    return {};
  const auto row = source_.rangeOf(thread_.rowTest->getSourceRange());
  if (!row || !source_.rangeOf(thread_.row->getSourceRange()))
    return refuse(refusals["macro-in-the-way"], "the branch in line {} has code from a macro",
                  lineOf(*branch_));
  const Range first = std::min(*test, *row), second = std::max(*test, *row);
  std::string between = source_.text().substr(first.end, second.begin - first.end);
  std::erase_if(between, [](unsigned char c) { return std::isspace(c) != 0; });
  const std::string joint = leavesOthers_ ? "||" : "&&";
  if (between != joint && between != ")" + joint + "(")
    return refuse(refusals["block-rows"],
                  "the branch in line {} asks for threadIdx.x and threadIdx.y apart",
                  lineOf(*branch_));
  test_ = {first.begin, second.end};
  isOne_ = fmt::format("{} == 0 && {} == 0", number, textOf(*thread_.row));
  isInWarp_ = fmt::format("{} * blockDim.x + {}{}", textOf(*thread_.row), number, among);
  return {};
}

/// The first warp, or every warp; the line that asserts what the run has shown stands behind.
void Spreader::letIn(Edits& edits, Range whole) const {
  const std::string line = firstLine();
  if (thread_.of == OneThread::Of::Warp && leavesOthers_)
    return edits.replace(whole, line);
  const Range then = *source_.rangeOf(*branch_->getThen());
  if (leavesOthers_) {
    edits.replace(test_, isInWarp_);
    return edits.insert(whole.end, "\n" + source_.indentAt(whole.begin) + line);
  }
  const bool isAll = branch_->getCond()->IgnoreParenImpCasts() == thread_.test;
  if (thread_.of != OneThread::Of::Warp)
    edits.replace(test_, isInWarp_);
  else if (isAll)
    edits.remove({whole.begin, then.begin});
  else
    edits.replace(test_, "true");
  if (llvm::isa<clang::CompoundStmt>(branch_->getThen()))
    edits.insert(then.begin + 1, "\n" + source_.indentAt(then.begin) + source_.indentUnit() + line);
}

/// A branch around statements that follow each other.
void Spreader::guard(Edits& edits, const std::vector<const Stmt*>& statements) const {
  const Range all{source_.rangeOf(*statements.front())->begin,
                  source_.rangeOf(*statements.back())->end};
  const std::string indent = source_.indentAt(all.begin), unit = source_.indentUnit();
  const bool isOne = statements.size() == 1 && !llvm::isa<clang::IfStmt>(statements.front());
  const std::string inside = indented(indent + source_.textOf(all), indent + unit);
  edits.replace(all, fmt::format("if ({}){}\n{}{}", isOne_, isOne ? "" : " {", inside,
                                 isOne ? "" : "\n" + indent + "}"));
}

/// Step 3.
Proposal Spreader::write(Range whole) const {
  Proposal proposal;
  proposal.edits = source_.include("cassert");
  letIn(proposal.edits, whole);
  for (auto each = pieces_.begin(); each != pieces_.end();) {
    proposal.edits.addOnce(each->call);
    proposal.reorders = proposal.reorders || each->rounds;
    std::vector<const Stmt*> ofOne;
    const Stmt* const scope = each->scope;
    for (; each != pieces_.end() && each->kind == Piece::Kind::ForOne && each->scope == scope;
         ++each)
      ofOne.push_back(each->statement);
    if (ofOne.empty())
      ++each;
    else
      guard(proposal.edits, ofOne);
  }
  return proposal;
}

Legal<Proposal> Spreader::spread() {
  if (auto legal = findBranch(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = checkShape(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = findParts(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = findTest(); !legal)
    return tl::unexpected(legal.error());
  const auto whole = source_.rangeOf(*branch_);
  const bool isText =
      whole && source_.rangeOf(*branch_->getThen()) &&
      std::ranges::all_of(pieces_, [&](const Piece& each) {
        return each.kind != Piece::Kind::ForOne || source_.rangeOf(*each.statement).has_value();
      });
  if (!isText)
    return refuse(refusals["macro-in-the-way"], "the branch in line {} has code from a macro",
                  lineOf(*branch_));
  return write(*whole);
}

} // namespace

Legal<std::vector<Proposal>> proposeSpread(const Source& source, const Target& target) {
  auto proposal = Spreader(source, target).spread();
  if (!proposal)
    return tl::unexpected(proposal.error());
  return std::vector<Proposal>{*std::move(proposal)};
}

const Rewrite room{
    .name = "spread",
    .summary = "all lanes of a warp for a loop that one thread runs alone",
    .needs = {3, 0},
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeSpread,
};

} // namespace heddle::rewrite::spread
