// SPDX-License-Identifier: Apache-2.0
//
//   1. Each counter is a word of a parameter that the kernel names for nothing else.
//   2. The statement that asks for a place does so always, and in no loop.
//   3. Nothing is changed in front of it that the second call would change again: only in other
//      arms, or behind a place.
//   4. What the body reads nobody changes meanwhile.
#include "rewrite/aggregate/BlockPlaces.h"

#include "rewrite/aggregate/KeptWords.h"
#include "rewrite/code/Branches.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"

#include <algorithm>
#include <map>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;
using clang::Stmt;

constexpr int wordsOfArray = 32;

/// A statement that asks for a place, and the statements around it, from the outside in.
struct Asking {
  const CallExpr* call = nullptr;
  AtomicAddress address;
  const Stmt* statement = nullptr;
  std::vector<const Stmt*> around; ///< the last one is its block, or an `if`
};

/// Whether the walk ends in it: nothing inside is a statement of its own.
bool isLeaf(const Stmt& statement) {
  return !llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                    clang::DoStmt, clang::SwitchStmt, clang::SwitchCase>(statement);
}

/// The statements of a kernel, with what is around each.
class Statements {
public:
  struct Placed {
    const Stmt* statement = nullptr;
    std::vector<const Stmt*> around;
  };

  explicit Statements(const Stmt& body) { walk(&body); }

  std::vector<Placed> leaves; ///< also conditions of branches and loops, as the branch itself
  bool isUnderstood = true;

private:
  void walk(const Stmt* statement) {
    if (statement == nullptr)
      return;
    if (const auto* value = llvm::dyn_cast<clang::Expr>(statement)) {
      leaves.push_back({value, around_});
      return;
    }
    if (isLeaf(*statement)) {
      isUnderstood =
          isUnderstood &&
          !llvm::isa<clang::LabelStmt, clang::GotoStmt, clang::CXXTryStmt, clang::CXXForRangeStmt>(
              statement);
      leaves.push_back({statement, around_});
      return;
    }
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(statement)) {
      isUnderstood = isUnderstood && !choice->hasInitStorage() && !choice->hasVarStorage();
      leaves.push_back({choice, around_}); // its condition
      inside(*choice, {choice->getThen(), choice->getElse()});
    } else if (llvm::isa<clang::CompoundStmt>(statement)) {
      inside(*statement, {statement->child_begin(), statement->child_end()});
    } else { // loops and switches: nothing in them may ask
      leaves.push_back({statement, around_});
    }
  }

  void inside(const Stmt& of, const std::vector<const Stmt*>& parts) {
    around_.push_back(&of);
    for (const Stmt* each : parts)
      walk(each);
    around_.pop_back();
  }

  std::vector<const Stmt*> around_;
};

/// Whether code holds a call that is made whenever the code runs.
class AlwaysCalls final : public TreeVisitor {
public:
  explicit AlwaysCalls(const CallExpr& call) : call_(call) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
    const bool isChoice = (binary != nullptr && binary->isLogicalOp()) || isLoop(*statement) ||
                          llvm::isa<clang::AbstractConditionalOperator, clang::LambdaExpr,
                                    clang::IfStmt, clang::SwitchStmt>(statement);
    depth_ += isChoice;
    found = found || (statement == &call_ && depth_ == 0);
    const bool goesOn = inside();
    depth_ -= isChoice;
    return goesOn;
  }

  bool found = false;

private:
  const CallExpr& call_;
  int depth_ = 0;
};

/// What runs when a leaf does: of a branch only its condition.
const Stmt& codeOf(const Stmt& leaf) {
  const auto* choice = llvm::dyn_cast<clang::IfStmt>(&leaf);
  return choice != nullptr ? *choice->getCond() : leaf;
}

bool alwaysCalls(const Stmt& leaf, const CallExpr& call) {
  AlwaysCalls calls(call);
  calls.TraverseStmt(const_cast<Stmt*>(&codeOf(leaf)));
  return calls.found;
}

class Placer {
public:
  Placer(const Source& source, const clang::FunctionDecl& kernel,
         const std::vector<const CallExpr*>& places, int tiles)
      : source_(source), kernel_(kernel), body_(*llvm::cast<clang::CompoundStmt>(kernel.getBody())),
        places_(places), tiles_(tiles), statements_(body_), names_(source, kernel) {}

  std::optional<Edits> edits() {
    if (kernel_.isTemplated() || body_.body_empty() || !statements_.isUnderstood ||
        !readAddresses() || !findStatements() || changesBefore() || !comesToTheSame())
      return std::nullopt;
    return written();
  }

private:
  /// Step 1.
  bool readAddresses() {
    const std::set<const clang::VarDecl*> modified = modifiedParameters(kernel_);
    if (!modified.empty())
      return false;
    std::vector<const CallExpr*> keepable;
    for (const KeptWords& words : findKeptWords(source_, kernel_, places_))
      for (const Change& each : words.changes)
        keepable.push_back(each.call);
    if (keepable.size() != places_.size())
      return false;
    for (const CallExpr* call : places_)
      asking_.push_back({call, addressOf(source_, *call, modified), nullptr, {}});
    return std::ranges::all_of(asking_, [&](const Asking& each) {
      return each.call->getType().getCanonicalType() ==
                 asking_.front().call->getType().getCanonicalType() &&
             !each.call->getBeginLoc().isMacroID() &&
             source_.rangeOf(each.call->getSourceRange()) &&
             source_.rangeOf(each.call->getArg(0)->getSourceRange());
    });
  }

  /// Step 2.
  bool findStatements() {
    std::set<const Stmt*> taken;
    for (Asking& each : asking_) {
      const auto found = std::ranges::find_if(statements_.leaves, [&](const auto& leaf) {
        return alwaysCalls(*leaf.statement, *each.call);
      });
      if (found == statements_.leaves.end() || !taken.insert(found->statement).second)
        return false;
      each.statement = found->statement;
      each.around = found->around;
      if (!indexStays(each))
        return false;
    }
    return true;
  }

  /// The statement computes the index it asks with, and changes none of what it takes for that.
  static bool indexStays(const Asking& asking) {
    if (asking.address.isFixed)
      return true;
    const Effects index = effectsOf(*asking.address.index);
    const Effects all = effectsOf(codeOf(*asking.statement));
    return index.pure() && std::ranges::none_of(index.reads, [&](const clang::VarDecl* each) {
             return all.changes.contains(each) || all.declares.contains(each);
           });
  }

  /// Step 3.
  bool changesBefore() const {
    return std::ranges::any_of(statements_.leaves, [&](const Statements::Placed& leaf) {
      return effectsOf(codeOf(*leaf.statement)).stores && !isBehindPlace(leaf) &&
             std::ranges::any_of(asking_,
                                 [&](const Asking& each) { return mayComeBefore(leaf, each); });
    });
  }

  /// In the statement that asks, in an arm of it, or in one behind it in its block.
  bool isBehindPlace(const Statements::Placed& leaf) const {
    return std::ranges::any_of(asking_, [&](const Asking& each) {
      if (each.statement == leaf.statement ||
          std::ranges::find(leaf.around, each.statement) != leaf.around.end())
        return true;
      const bool inBlock = std::ranges::find(leaf.around, each.around.back()) != leaf.around.end();
      return inBlock && llvm::isa<clang::CompoundStmt>(each.around.back()) &&
             each.statement->getBeginLoc() < leaf.statement->getBeginLoc();
    });
  }

  bool mayComeBefore(const Statements::Placed& leaf, const Asking& asking) const {
    return leaf.statement->getBeginLoc() < asking.statement->getBeginLoc() &&
           !areInOtherArms(leaf, asking);
  }

  /// Or in an arm that returns.
  static bool areInOtherArms(const Statements::Placed& leaf, const Asking& asking) {
    if (std::ranges::any_of(leaf.around, [&](const Stmt* each) {
          const auto* block = llvm::dyn_cast<clang::CompoundStmt>(each);
          return block != nullptr && !block->body_empty() &&
                 llvm::isa<clang::ReturnStmt>(block->body_back()) &&
                 std::ranges::find(asking.around, each) == asking.around.end();
        }))
      return true;
    const auto isIn = [](const std::vector<const Stmt*>& around, const Stmt* own, const Stmt* arm) {
      return own == arm || std::ranges::find(around, arm) != around.end();
    };
    return std::ranges::any_of(leaf.around, [&](const Stmt* each) {
      const auto* choice = llvm::dyn_cast<clang::IfStmt>(each);
      return choice != nullptr && choice->getElse() != nullptr &&
             isIn(leaf.around, leaf.statement, choice->getThen()) &&
             isIn(asking.around, asking.statement, choice->getElse());
    });
  }

  /// Step 4.
  bool comesToTheSame() const {
    if (!refuseCommunication(source_, body_, places_))
      return false;
    if (tiles_ > 1 && !findItemIndex(body_).calls.empty())
      return false;
    const MemoryUse use = MemoryUses(body_).of(body_);
    MemoryUse reads = use;
    for (const Asking& each : asking_)
      reads.read.erase(each.address.root);
    return findConflict(reads, use) == nullptr;
  }

  bool isArray() const {
    return std::ranges::any_of(asking_, [](const Asking& each) { return !each.address.isFixed; });
  }

  /// The counter, and which of its words.
  std::pair<std::string, std::string> counterOf(const Asking& each) const {
    if (each.address.isFixed)
      return {source_.textOf(each.call->getArg(0)->getSourceRange()), "0"};
    return {source_.textOf(each.address.words->getSourceRange()),
            source_.textOf(each.address.index->getSourceRange())};
  }

  void ask(const Asking& asking, const std::string& places, Edits& inner) const {
    const auto [counter, index] = counterOf(asking);
    const std::string arguments = fmt::format("({}, {})", counter, index);
    inner.replace(*source_.rangeOf(asking.call->getSourceRange()), places + ".next" + arguments);
    const Range statement = *source_.rangeOf(*asking.statement);
    const std::string indent = source_.indentAt(statement.begin);
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(asking.around.back());
    if (choice != nullptr)
      inner.insert(armBegin(*choice, asking), " {");
    inner.insert(statement.begin, fmt::format("if ({0}.asks{1})\n{2}{3}return;\n{2}", places,
                                              arguments, indent, source_.indentUnit()));
    if (choice != nullptr)
      inner.insert(statement.end, "\n" + source_.indentAt(source_.rangeOf(*choice)->begin) + "}");
  }

  /// Behind the condition, or behind `else`.
  std::size_t armBegin(const clang::IfStmt& choice, const Asking& asking) const {
    const bool isElse = choice.getElse() == asking.statement;
    return source_
        .rangeOf(clang::SourceRange(isElse ? choice.getElseLoc() : choice.getRParenLoc()))
        ->end;
  }

  /// Whether an arm that needs braces is written in this file.
  bool isWritten(const Asking& asking) const {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(asking.around.back());
    if (!source_.rangeOf(*asking.statement))
      return false;
    return choice == nullptr || (source_.rangeOf(*choice) &&
                                 source_.rangeOf(clang::SourceRange(choice->getRParenLoc())) &&
                                 (choice->getElse() == nullptr ||
                                  source_.rangeOf(clang::SourceRange(choice->getElseLoc()))));
  }

  std::optional<Edits> written() {
    const std::string places = names_.make("places");
    Edits inner;
    std::vector<std::string> counters;
    for (const Asking& each : asking_) {
      if (!isWritten(each))
        return std::nullopt;
      ask(each, places, inner);
      if (const std::string counter = counterOf(each).first;
          std::ranges::find(counters, counter) == counters.end())
        counters.push_back(counter);
    }
    const auto inside = source_.insideOf(body_);
    const auto first = source_.rangeOf(*body_.body_front());
    const auto last = source_.rangeOf(*body_.body_back());
    if (!inside || !first || !last)
      return std::nullopt;
    const std::size_t end =
        std::max(last->end, std::min(source_.text().find('\n', last->end), inside->end));
    return around({first->begin, end}, inner, places, counters);
  }

  Edits around(Range code, const Edits& inner, const std::string& places,
               const std::vector<std::string>& counters) const {
    const std::string indent = source_.indentAt(code.begin), unit = source_.indentUnit();
    const std::size_t line = source_.lineBegin(code.begin);
    const bool startsLine = line + indent.size() == code.begin;
    const std::string body =
        indented(inner.apply(source_.text(), {startsLine ? line : code.begin, code.end}),
                 indent + unit + unit + unit);
    const int words = isArray() ? wordsOfArray : 1;
    const auto fewer = fewerBlocksFor(source_, kernel_, tiles_);
    const std::string argument = indent + unit + unit;
    std::string call =
        fmt::format("heddle::block_places<{}>(\n{}[&](auto& {}) {{", words, argument, places);
    if (tiles_ > 1)
      call = fmt::format(
          "heddle::block_places_of_tiles<{}, {}>(\n{}[&](uint3 blockIdx, auto& {}) {{", tiles_,
          words, fewer ? argument + fewer->parameter + ",\n" + argument : argument, places);
    if (tiles_ > 1 && !fewer)
      call = leaveWithoutTiles(tiles_, indent, unit) + call;
    Edits edits = source_.include("heddle/block_places.cuh");
    if (fewer)
      edits.add(fewer->edits);
    edits.replace(code, fmt::format("{0}\n{1}\n{2}{3}{3}}},\n{2}{3}{3}{4});", call, body, indent,
                                    unit, fmt::join(counters, ", ")));
    return edits;
  }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const clang::CompoundStmt& body_;
  const std::vector<const CallExpr*>& places_;
  int tiles_;
  Statements statements_;
  FreshNames names_;
  std::vector<Asking> asking_;
};

} // namespace

std::optional<Edits> takePlacesByBlock(const Source& source, const clang::FunctionDecl& kernel,
                                       const std::vector<const CallExpr*>& places, int tiles) {
  return Placer(source, kernel, places, tiles).edits();
}

} // namespace heddle::rewrite::aggregate
