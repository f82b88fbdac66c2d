// SPDX-License-Identifier: Apache-2.0
#include "rewrite/split_branch/KernelBranch.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/FloatSums.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/Modified.h"
#include "rewrite/split_branch/Refusals.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite::split_branch {
namespace {

using clang::Stmt;

Legal<void> addChain(const Source& source, const clang::IfStmt& branch, KernelBranch& to) {
  if (branch.isConstexpr() || branch.isConsteval())
    return refuse(refusals["not-a-choice"], "line {} is decided when the kernel is compiled",
                  source.lineOf(branch.getBeginLoc()));
  to.conditions.push_back(branch.getCond());
  to.arms.push_back(branch.getThen());
  if (const auto* next = llvm::dyn_cast_or_null<clang::IfStmt>(branch.getElse()))
    return addChain(source, *next, to);
  to.arms.push_back(branch.getElse());
  return {};
}

bool endsCase(const Stmt* last) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(last))
    return !block->body_empty() && endsCase(block->body_back());
  return llvm::isa<clang::BreakStmt, clang::ReturnStmt>(last);
}

const Stmt* behindLabels(const Stmt* statement) {
  while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement))
    statement = label->getSubStmt();
  return statement;
}

const Stmt* lastLabel(const clang::SwitchCase* label) {
  while (const auto* next = llvm::dyn_cast<clang::SwitchCase>(label->getSubStmt()))
    label = next;
  return label;
}

Legal<void> addCases(const Source& source, const clang::SwitchStmt& choice, KernelBranch& to) {
  to.conditions.push_back(choice.getCond());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(choice.getBody());
  if (body == nullptr || body->body_empty() || !llvm::isa<clang::SwitchCase>(body->body_front()))
    return refuse(refusals["fallthrough"], "the switch has statements in front of its first case");
  bool ended = true, hasDefault = false;
  for (const Stmt* statement : body->body()) {
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
      if (!ended)
        return refuse(refusals["fallthrough"], "the case in front of line {} falls through into it",
                      source.lineOf(label->getBeginLoc()));
      to.arms.push_back(lastLabel(label));
    }
    ended = endsCase(behindLabels(statement));
  }
  for (const clang::SwitchCase* label = choice.getSwitchCaseList(); label != nullptr;
       label = label->getNextSwitchCase())
    hasDefault = hasDefault || llvm::isa<clang::DefaultStmt>(label);
  if (hasDefault)
    return {};
  if (!ended)
    return refuse(refusals["fallthrough"], "the last case of the switch does not end in a break");
  to.arms.push_back(nullptr);
  return {};
}

/// An `else if` belongs to the first `if`.
std::size_t headOfChain(const Placed& branch) {
  std::size_t outer = 0;
  const Stmt* inner = branch.statement;
  for (; outer < branch.around.size(); ++outer) {
    const auto* around = llvm::dyn_cast<clang::IfStmt>(branch.around[outer]);
    if (around == nullptr || around->getElse() != inner)
      break;
    inner = around;
  }
  return outer;
}

/// What a block does before and after one of its statements.
Legal<void> addBlock(const Source& source, const clang::CompoundStmt& block, const Stmt* inner,
                     KernelBranch& to) {
  const auto at = std::find(block.body_begin(), block.body_end(), inner);
  to.before.insert(to.before.end(), block.body_begin(), at);
  if (inner == to.choice)
    to.behind.assign(at + 1, block.body_end());
  else if (at + 1 != block.body_end())
    return refuse(refusals["code-behind"],
                  "line {} runs also for threads that do not reach the branch",
                  source.lineOf((*(at + 1))->getBeginLoc()));
  return {};
}

Legal<void> addAround(const Source& source, const Placed& branch, KernelBranch& to) {
  const Stmt* inner = to.choice;
  for (std::size_t i = headOfChain(branch); i < branch.around.size(); ++i) {
    const Stmt* around = branch.around[i];
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(around)) {
      if (auto added = addBlock(source, *block, inner, to); !added)
        return added;
    } else if (const auto* guard = llvm::dyn_cast<clang::IfStmt>(around);
               guard != nullptr && guard->getElse() == nullptr) {
      to.conditions.push_back(guard->getCond());
    } else {
      return refuse(refusals["not-top-level"], "the branch stands inside the statement of line {}",
                    source.lineOf(around->getBeginLoc()));
    }
    inner = around;
  }
  return {};
}

/// A product that ends one way, and a sum behind the branch, become one rounding instead of two in
/// code that has only this way.
Legal<void> checkNothingFuses(const Source& source, const KernelBranch& cut) {
  for (const Stmt* statement : cut.behind)
    if (addsFloats(*statement))
      return refuse(refusals["code-behind"],
                    "line {} adds floating-point numbers behind the branch, which the compiler may "
                    "fuse with a product of a way once they stand together",
                    source.lineOf(statement->getBeginLoc()));
  return {};
}

/// Those before the branch that a thread's way depends on, and the conditions.
std::vector<const Stmt*> deciding(const KernelBranch& cut) {
  std::vector<const Stmt*> result(cut.conditions.begin(), cut.conditions.end());
  std::set<const clang::VarDecl*> needed;
  const auto need = [&](const Stmt& code) {
    for (const clang::VarDecl* variable : variablesIn(code))
      needed.insert(variable);
  };
  for (const Stmt* condition : result)
    need(*condition);
  for (bool grows = true; grows;) {
    grows = false;
    for (const Stmt* statement : cut.before) {
      std::set<const clang::VarDecl*> sets = modifiedIn(*statement);
      for (const clang::VarDecl* variable : declaredIn(*statement))
        sets.insert(variable);
      const bool decides =
          !findExits(*statement).returns.empty() ||
          std::ranges::any_of(sets, [&](auto* each) { return needed.contains(each); });
      if (!decides || std::ranges::find(result, statement) != result.end())
        continue;
      result.push_back(statement);
      need(*statement);
      grows = true;
    }
  }
  return result;
}

} // namespace

Legal<KernelBranch> cutKernel(const Source& source, const Placed& branch) {
  KernelBranch cut;
  const std::size_t outer = headOfChain(branch);
  cut.choice = outer == 0 ? branch.statement : branch.around[outer - 1];
  Legal<void> found;
  if (const auto* chain = llvm::dyn_cast<clang::IfStmt>(cut.choice))
    found = addChain(source, *chain, cut);
  else if (const auto* cases = llvm::dyn_cast<clang::SwitchStmt>(cut.choice))
    found = addCases(source, *cases, cut);
  else
    return refuse(refusals["not-a-choice"], "the branch is no if and no switch");
  if (found)
    found = addAround(source, branch, cut);
  if (!found)
    return tl::unexpected(found.error());
  if (cut.arms.size() > KernelBranch::mostWays)
    return refuse(refusals["too-many-ways"], "the branch takes {} ways; {} are the most",
                  cut.arms.size(), KernelBranch::mostWays);
  return cut;
}

Legal<void> checkRunsAgain(const Source& source, const Placed& branch) {
  const auto cut = cutKernel(source, branch);
  if (!cut)
    return tl::unexpected(cut.error());
  const Stmt& body = *branch.around.back();
  if (auto talks = refuseCommunication(source, body); !talks)
    return talks;
  if (auto exact = checkNothingFuses(source, *cut); !exact)
    return exact;
  const MemoryUses uses(body);
  std::vector<const Stmt*> repeated(cut->before);
  repeated.insert(repeated.end(), cut->conditions.begin(), cut->conditions.end());
  for (const Stmt* statement : repeated)
    if (const MemoryUse use = uses.of(*statement); !use.written.empty()) {
      const auto& [memory, where] = *use.written.begin();
      return refuse(refusals["side-effects-before"],
                    "line {} writes {} before the branch, which each way would do again",
                    source.lineOf(source.isHere(where) ? where : statement->getBeginLoc()),
                    memory.name());
    }
  return {};
}

Legal<void> checkDecidesAlike(const Source& source, const Placed& branch) {
  const auto cut = cutKernel(source, branch);
  if (!cut)
    return tl::unexpected(cut.error());
  const MemoryUses uses(*branch.around.back());
  std::vector<const Stmt*> writers(cut->behind);
  writers.push_back(cut->choice);
  for (const Stmt* reader : deciding(*cut)) {
    const MemoryUse read = uses.of(*reader);
    for (const Stmt* writer : writers)
      if (const Memory* both = findConflict(read, uses.of(*writer)))
        return refuse(refusals["condition-written"],
                      "line {} decides by {}, which the branch writes: the second way would see "
                      "what the first one wrote",
                      source.lineOf(read.read.at(*both)), both->name());
  }
  return {};
}

} // namespace heddle::rewrite::split_branch
