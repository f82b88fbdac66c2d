// SPDX-License-Identifier: Apache-2.0
#include "rewrite/regroup/EarlyReturn.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/regroup/Refusals.h"
#include "rewrite/regroup/TravellingState.h"

#include <algorithm>

namespace heddle::rewrite::regroup {
namespace {

using clang::Stmt;

tl::unexpected<Refusal> refuseEntry(const Source& source, const Stmt& because) {
  return refuse(refusals["divergent-entry"],
                "not all threads of a block reach the loop, which line {} decides",
                source.lineOf(because.getBeginLoc()));
}

/// The first statement around the loop in whose way threads part.
const Stmt& divergesAt(const BlockValues& values, const Placed& branch, const Stmt& loop) {
  const Stmt* inner = &loop;
  for (const Stmt* outer : branch.around)
    if (!values.isReachedTogether(*outer))
      inner = outer;
  const auto after = std::ranges::find(branch.around, inner) + 1;
  return after < branch.around.end() ? **after : *inner;
}

/// The returns in front of the loop that only some threads take.
Legal<std::set<clang::SourceLocation>> earlyReturns(const Source& source,
                                                    const BranchStatement& branch) {
  std::set<clang::SourceLocation> found;
  for (const Placed& instance : branch.instances) {
    const Stmt& loop = *instance.loop();
    const BlockValues values(*instance.around.back(), &loop);
    if (!values.isReachedTogether(loop))
      return refuseEntry(source, divergesAt(values, instance, loop));
    for (const clang::ReturnStmt* each : values.divergentReturns())
      if (each->getBeginLoc() < loop.getBeginLoc())
        found.insert(each->getBeginLoc());
  }
  return found;
}

/// `if (condition) return;`, which the location is part of.
const clang::IfStmt* asReturn(const Stmt* statement, clang::SourceLocation location) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
  if (branch == nullptr || branch->getElse() != nullptr || branch->hasInitStorage() ||
      branch->getConditionVariable() != nullptr)
    return nullptr;
  const Stmt* then = branch->getThen();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then); block && block->size() == 1)
    then = block->body_front();
  return llvm::isa<clang::ReturnStmt>(then) && then->getBeginLoc() == location ? branch : nullptr;
}

bool isOrHolds(const Stmt* statement, const Stmt& loop) {
  const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement);
  return statement == &loop || (attributed != nullptr && attributed->getSubStmt() == &loop);
}

/// Made zero first, so that a thread that has returned holds no garbage.
std::string zeroed(std::string declaration) {
  if (declaration.starts_with("constexpr ") || declaration.find('=') != std::string::npos)
    return declaration;
  return declaration.substr(0, declaration.size() - 1) + "{};";
}

class Skipper {
public:
  Skipper(const Source& source, const BranchStatement& branch, const WayLoop& loop)
      : source_(source), branch_(branch), loop_(loop) {}

  Legal<std::optional<EarlyReturn>> skip(clang::SourceLocation returned);

private:
  bool place(clang::SourceLocation returned);
  const clang::ReturnStmt* secondReturn() const;
  Legal<Hoisted> hoist() const;
  std::string text(const Hoisted& hoisted, Range all) const;

  const Source& source_;
  const BranchStatement& branch_;
  const WayLoop& loop_;
  const clang::IfStmt* guard_ = nullptr;
  std::vector<const Stmt*> between_;
};

/// Both stand in the kernel's outermost block, where nothing else is around them.
bool Skipper::place(clang::SourceLocation returned) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(branch_.around.back());
  if (body == nullptr || loop_.needsBraces)
    return false;
  for (const Stmt* statement : body->body()) {
    if (isOrHolds(statement, *loop_.loop))
      return guard_ != nullptr;
    if (guard_ != nullptr)
      between_.push_back(statement);
    else
      guard_ = asReturn(statement, returned);
  }
  return false;
}

Legal<Hoisted> Skipper::hoist() const {
  for (const Stmt* statement : between_)
    if (auto talks = refuseCommunication(source_, *statement); !talks)
      return tl::unexpected(talks.error());
  std::vector<const Stmt*> users = behind(branch_).after;
  users.push_back(loop_.loop);
  std::vector<const Stmt*> statements = between_;
  if (loop_.init != nullptr)
    statements.push_back(loop_.init);
  return hoistDeclarations(source_, statements, users);
}

std::string Skipper::text(const Hoisted& hoisted, Range all) const {
  const std::string indent = source_.indentAt(all.begin);
  const std::string inner = indent + source_.indentUnit();
  std::string text = fmt::format("const bool hasReturned = {};",
                                 source_.textOf(guard_->getCond()->getSourceRange()));
  for (const std::string& declaration : hoisted.declarations)
    text += "\n" + indent + zeroed(declaration);
  const std::size_t begin = source_.rangeOf(*guard_)->end;
  std::string skipped;
  if (all.end > begin)
    skipped = indented(hoisted.edits.apply(source_.text(), {begin, all.end}), inner);
  if (loop_.init != nullptr)
    skipped += (skipped.empty() ? "" : "\n") + inner +
               hoisted.edits.apply(source_.text(), *source_.rangeOf(*loop_.init));
  if (skipped.find_first_not_of(" \t\n") == std::string::npos)
    return text;
  return text + "\n" + indent + "if (!hasReturned) {\n" + skipped + "\n" + indent + "}";
}

/// Threads that have returned do not come there, and would wait in the loop for all others.
const clang::ReturnStmt* Skipper::secondReturn() const {
  for (const Stmt* statement : between_)
    if (const Exits exits = findExits(*statement); !exits.returns.empty())
      return exits.returns.front();
  return nullptr;
}

Legal<std::optional<EarlyReturn>> Skipper::skip(clang::SourceLocation returned) {
  if (!place(returned))
    return refuse(refusals["divergent-entry"],
                  "line {} returns for some threads of a block, and all must reach the loop",
                  source_.lineOf(returned));
  if (const clang::ReturnStmt* second = secondReturn())
    return refuse(refusals["divergent-entry"],
                  "line {} returns for some threads of a block, and line {} perhaps for all others",
                  source_.lineOf(returned), source_.lineOf(second->getBeginLoc()));
  auto hoisted = hoist();
  if (!hoisted)
    return tl::unexpected(hoisted.error());
  auto range = source_.rangeOf(*guard_);
  const auto last = between_.empty() ? range : source_.rangeOf(*between_.back());
  if (!range || !last || !source_.rangeOf(guard_->getCond()->getSourceRange()))
    return refuse(refusals["macro-in-the-way"],
                  "the return in line {} or what follows is in a macro", source_.lineOf(returned));
  range->end = last->end;
  EarlyReturn result;
  result.edits.replace(*range, text(*hoisted, *range));
  result.movedOut = std::move(hoisted->variables);
  return result;
}

} // namespace

Legal<std::optional<EarlyReturn>>
skipInsteadOfReturn(const Source& source, const BranchStatement& branch, const WayLoop& loop) {
  const auto returns = earlyReturns(source, branch);
  if (!returns)
    return tl::unexpected(returns.error());
  if (returns->empty())
    return std::nullopt;
  if (returns->size() > 1)
    return refuse(refusals["divergent-entry"], "lines {} and {} return for some threads of a block",
                  source.lineOf(*returns->begin()), source.lineOf(*std::next(returns->begin())));
  return Skipper(source, branch, loop).skip(*returns->begin());
}

} // namespace heddle::rewrite::regroup
