// SPDX-License-Identifier: Apache-2.0
//
//   1. Variables from outside that the body changes. Each must be joined into by updates alone, and
//      by those of one kind.
//   2. A `break` stands behind assignments in a block that does nothing else, and nothing else is
//      changed anywhere.
//   3. No other mention of these variables: it would need the items before.
//   4. What is stored is stored at a place of the item (ItemPlaces.h).
#include "rewrite/rows/RowBody.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/rows/ItemPlaces.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>
#include <set>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

/// What is only read.
class Reads final : public TreeVisitor {
public:
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      found.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  std::set<const Expr*> found;
};

/// Step 1.
std::set<const VarDecl*> changedIn(const RowLoop& loop) {
  std::set<const VarDecl*> changed = modifiedIn(*loop.body);
  for (const VarDecl* each : declaredIn(*loop.body))
    changed.erase(each);
  changed.erase(loop.item);
  std::erase_if(changed, [](const VarDecl* each) { return !each->hasLocalStorage(); }); // step 4
  return changed;
}

class BodyReader {
public:
  BodyReader(const Source& source, const RowLoop& loop, Rows rows)
      : source_(source), loop_(loop), rows_(rows), changed_(source, loop, changedIn(loop)) {}

  Legal<RowBody> read();

private:
  Legal<void> checkExits() const;
  Legal<void> checkThread() const;
  bool isInPlace(const Expr& name) const;
  bool standsForPlace(const VarDecl& variable) const;
  Legal<void> checkMentions() const;
  Legal<void> checkAddresses() const;
  void walk(const Stmt* code);
  void walkBlock(const std::vector<const Stmt*>& statements);
  void walkLeaving(const std::vector<const Stmt*>& statements);
  void join(const Update& update);
  void note(const VarDecl& variable, const char* why) { odd_.emplace(&variable, why); }
  bool isExit(const Stmt* statement) const {
    return std::ranges::find(body_.exits.breaks, statement) != body_.exits.breaks.end();
  }
  int lineOf(const Stmt& statement) const { return source_.lineOf(statement.getBeginLoc()); }

  const Source& source_;
  const RowLoop& loop_;
  Rows rows_;
  JoinedPlaces changed_;
  std::set<const Expr*> known_; ///< names that an update accounts for
  std::map<const VarDecl*, std::string> constants_;
  std::map<const VarDecl*, const char*> odd_; ///< joined into in more than one way
  RowBody body_;
};

Legal<void> BodyReader::checkExits() const {
  if (!body_.exits.returns.empty())
    return refuse(common["ends-early"], "line {} returns from inside the loop",
                  lineOf(*body_.exits.returns.front()));
  for (const Stmt* each : body_.exits.breaks)
    if (!source_.rangeOf(*each))
      return refuse(common["macro-in-the-way"], "line {} leaves the loop in a macro",
                    lineOf(*each));
  for (const Stmt* each : body_.exits.continues)
    if (!source_.rangeOf(*each))
      return refuse(common["macro-in-the-way"], "line {} goes on in a macro", lineOf(*each));
  return {};
}

Legal<void> BodyReader::checkThread() const {
  ThreadIndexUses uses = findThreadIndex(*loop_.body);
  if (rows_ == Rows::OfWarps && !uses.names.empty())
    uses.names = WarpValues(source_, *loop_.function, rows_).laneNames(*loop_.body);
  std::erase_if(uses.names, [&](const Expr* each) { return isInPlace(*each); });
  const Expr* found = !uses.names.empty()   ? uses.names.front()
                      : !uses.calls.empty() ? uses.calls.front()
                                            : nullptr;
  if (found == nullptr)
    return {};
  return refuse(common["thread-index-inside"], "line {} asks for threadIdx inside the loop",
                lineOf(*found));
}

/// In the text of a place: the thread itself says where that is.
bool BodyReader::isInPlace(const Expr& name) const {
  const auto at = source_.rangeOf(name.getSourceRange());
  return at && std::ranges::any_of(changed_.places(), [&](const JoinedPlace& place) {
           return std::ranges::any_of(place.names, [&](const Expr* each) {
             const auto all = source_.rangeOf(each->getSourceRange());
             return all && all->contains(*at);
           });
         });
}

/// An update of a kind joins those of the same variables.
void BodyReader::join(const Update& update) {
  for (const Expr* name : update.names)
    known_.insert(name);
  const VarDecl& variable = *update.variables.front();
  bool isOther = false; // than the constant that it was set to
  if (update.constant != nullptr) {
    const std::string text = source_.textOf(update.constant->getSourceRange());
    isOther = constants_.emplace(&variable, text).first->second != text;
  }
  const auto isSet = [](Joining joining) {
    return joining == Joining::Set || joining == Joining::Last;
  };
  for (Accumulator& each : body_.accumulators) {
    if (each.joining == update.joining && each.variables == update.variables &&
        (update.variables.size() == 1 && update.joining < Joining::Smallest))
      return;
    if (isSet(each.joining) && isSet(update.joining) && each.variables == update.variables) {
      if (isOther || each.joining != update.joining)
        each.joining = Joining::Last;
      return;
    }
    for (const VarDecl* mine : update.variables)
      if (std::ranges::find(each.variables, mine) != each.variables.end())
        return note(*mine, "is changed in more than one way");
  }
  body_.accumulators.push_back({update.joining, update.variables, update.isChoice, update.key});
}

/// Step 2: a block that ends in a `break`.
void BodyReader::walkLeaving(const std::vector<const Stmt*>& statements) {
  for (const Stmt* each : statements) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    const auto* set = value != nullptr
                          ? llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts())
                          : nullptr;
    const VarDecl* variable = set != nullptr && set->getOpcode() == clang::BO_Assign
                                  ? changed_.of(set->getLHS())
                                  : nullptr;
    if (variable == nullptr || !effectsOf(*set->getRHS()).pure())
      continue; // step 3 finds what else is changed here
    known_.insert(JoinedPlaces::bare(set->getLHS()));
    const auto isIt = [&](const Accumulator& known) {
      return known.joining == Joining::First && known.variables.front() == variable;
    };
    if (std::ranges::none_of(body_.accumulators, isIt))
      body_.accumulators.push_back({Joining::First, {variable}});
  }
}

void BodyReader::walkBlock(const std::vector<const Stmt*>& statements) {
  if (!statements.empty() && isExit(statements.back()))
    return walkLeaving(statements);
  for (const Stmt* each : statements)
    if (each != loop_.lastStatement)
      walk(each);
}

void BodyReader::walk(const Stmt* code) {
  if (code == nullptr)
    return;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code))
    return walkBlock({block->body_begin(), block->body_end()});
  if (const auto* value = llvm::dyn_cast<Expr>(code)) {
    // Where an item ends the loop, others than that one may not change anything.
    const auto update =
        body_.exits.breaks.empty() ? readUpdate(source_, *value, changed_) : std::nullopt;
    if (update)
      join(*update);
    return;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
    const auto choice = body_.exits.breaks.empty()
                            ? readChoice(source_, *branch, changed_, *loop_.item)
                            : std::nullopt;
    if (choice)
      return join(*choice);
    walk(branch->getThen());
    return walk(branch->getElse());
  }
  if (llvm::isa<clang::DeclStmt>(code))
    return;
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(code))
    return walk(label->getSubStmt());
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(code))
    return walk(choice->getBody());
  if (isLoop(*code))
    return walk(headerOf(*code).body);
  for (const Stmt* child : code->children())
    if (child != nullptr && !llvm::isa<Expr>(child))
      walk(child);
}

/// Step 3.
Legal<void> BodyReader::checkMentions() const {
  Reads reads;
  reads.TraverseStmt(const_cast<Stmt*>(loop_.body));
  const bool leaves = !body_.exits.breaks.empty();
  for (const Expr* name : changed_.namesIn(*loop_.body)) {
    if (known_.contains(name) || (leaves && reads.found.contains(name)))
      continue;
    const std::string text = source_.textOf(name->getSourceRange());
    if (leaves)
      return refuse(common["ends-early"], "line {} changes {}, and another item may end the loop",
                    lineOf(*name), text);
    return refuse(common["carried-over"], "line {} needs or changes {} of the items before",
                  lineOf(*name), text);
  }
  for (const auto& [variable, why] : odd_)
    return refuse(common["carried-over"], "{} of line {} {}", variable->getNameAsString(),
                  source_.lineOf(variable->getLocation()), why);
  return {};
}

bool BodyReader::standsForPlace(const VarDecl& variable) const {
  return std::ranges::find(changed_.places(), &variable, &JoinedPlace::variable) !=
         changed_.places().end();
}

/// Somebody else may hold the address of what is joined into.
Legal<void> BodyReader::checkAddresses() const {
  const Effects whole = effectsOf(*loop_.function);
  for (const Accumulator& each : body_.accumulators)
    for (const VarDecl* variable : each.variables)
      if (whole.exposed.contains(variable) ||
          (!variable->hasLocalStorage() && !standsForPlace(*variable)) ||
          variable->getType()->isReferenceType())
        return refuse(common["carried-over"],
                      "{} may be changed through its address or a reference",
                      variable->getNameAsString());
  return {};
}

Legal<RowBody> BodyReader::read() {
  if (auto legal = refuseAllButShared(source_, *loop_.loop); !legal)
    return tl::unexpected(legal.error());
  body_.exits = findExits(*loop_.body);
  body_.places = changed_.places();
  walk(loop_.body);
  for (const auto check : {&BodyReader::checkExits, &BodyReader::checkThread,
                           &BodyReader::checkMentions, &BodyReader::checkAddresses})
    if (auto legal = (this->*check)(); !legal)
      return tl::unexpected(legal.error());
  // Step 4.
  const auto places = checkItemPlaces(source_, loop_, body_.places);
  if (!places)
    return tl::unexpected(places.error());
  body_.stores = *places;
  if (body_.stores && !body_.exits.breaks.empty())
    return refuse(common["ends-early"],
                  "the loop in line {} has a break, and its items write memory",
                  lineOf(*loop_.loop));
  body_.rounds = std::ranges::any_of(body_.accumulators, [](const Accumulator& each) {
    return (each.joining == Joining::Sum || each.joining == Joining::Product) &&
           each.variables.front()->getType()->isRealFloatingType();
  });
  return std::move(body_);
}

} // namespace

Legal<RowBody> readRowBody(const Source& source, const RowLoop& loop, Rows rows) {
  return BodyReader(source, loop, rows).read();
}

} // namespace heddle::rewrite
