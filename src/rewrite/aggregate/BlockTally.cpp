// SPDX-License-Identifier: Apache-2.0
//
//   1. What may be kept, and how (KeptWords.h).
//   2. Threads that return would not be there at the end: of totals all must be, of tallies those
//      that have added. Where some would not, the body becomes a function.
//   3. A total for each address and a tally for each array, which begin and end with the kernel.
#include "rewrite/aggregate/BlockTally.h"

#include "rewrite/aggregate/Atomics.h"
#include "rewrite/aggregate/KeptWords.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/TreeVisitor.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;
using clang::Stmt;

constexpr std::size_t mostBytes = 24 * 1024; ///< of 48 KB, so that the kernel has some, too

/// Step 2. A loop that both returns and adds may add first.
class Leaving final : public TreeVisitor {
public:
  Leaving(const std::vector<const CallExpr*>& atomics) : atomics_(atomics) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    if (const auto* leaves = llvm::dyn_cast<clang::ReturnStmt>(statement))
      found |= isBehind(*leaves);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement))
      found |= holdsAtomic(*statement) && !findExits(*statement).returns.empty();
    return inside();
  }
  bool VisitGotoStmt(clang::GotoStmt*) override {
    found = true;
    return false;
  }
  bool found = false;

private:
  bool isBehind(const Stmt& statement) const {
    return std::ranges::any_of(atomics_, [&](const CallExpr* each) {
      return each->getBeginLoc() < statement.getBeginLoc();
    });
  }
  bool holdsAtomic(const Stmt& loop) const {
    return std::ranges::any_of(atomics_, [&](const CallExpr* each) {
      return loop.getBeginLoc() < each->getBeginLoc() && each->getBeginLoc() < loop.getEndLoc();
    });
  }

  const std::vector<const CallExpr*>& atomics_;
};

/// "ownSums" of "sums", "own_d_sums" of "d_sums".
std::string ownName(std::string name) {
  if (name.find('_') != std::string::npos)
    return "own_" + name;
  name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return "own" + name;
}

/// The total that takes the place of an atomic, and what else it is called with.
std::string operatorOf(const CallExpr& call) {
  static const std::map<std::string, std::string> operators = {
      {"aggregate_add", ""},
      {"aggregate_sub", ", heddle::minus"},
      {"aggregate_min", ", heddle::minimum"},
      {"aggregate_max", ", heddle::maximum"},
      {"aggregate_and", ", heddle::bit_and"},
      {"aggregate_or", ", heddle::bit_or"},
      {"aggregate_xor", ", heddle::bit_xor"}};
  return operators.at(aggregatedName(call));
}

/// Of the word that an atomic changes; nothing where its name is not known at the kernel's
/// beginning, or it is no plain number.
std::optional<std::string> wordType(const Source& source, const Change& change) {
  const clang::QualType pointer = change.call->getArg(0)->getType();
  const clang::PrintingPolicy policy(source.ast().getLangOpts());
  if (!pointer->isDependentType()) {
    const clang::QualType word = pointer->getPointeeType().getUnqualifiedType();
    if (!word->isBuiltinType() || !word->isArithmeticType() || word->isBooleanType())
      return std::nullopt;
    return word.getCanonicalType().getAsString(policy);
  }
  const Memory& root = change.address.root;
  if (!change.address.isPlain || root.member != nullptr)
    return std::nullopt;
  return root.variable->getType()->getPointeeType().getUnqualifiedType().getAsString(policy);
}

class Keeper {
public:
  Keeper(const Source& source, const clang::FunctionDecl& kernel,
         const std::vector<const CallExpr*>& atomics)
      : source_(source), kernel_(kernel), body_(*llvm::cast<clang::CompoundStmt>(kernel.getBody())),
        names_(source, kernel), kept_(findKeptWords(source, kernel, atomics)) {
    std::erase_if(kept_, [&](const KeptWords& each) {
      return std::ranges::any_of(each.changes, [&](const Change& change) {
        return !wordType(source, change) || change.call->getBeginLoc().isMacroID() ||
               !source.rangeOf(change.call->getSourceRange()) ||
               !source.rangeOf(change.call->getArg(0)->getSourceRange()) ||
               !source.rangeOf(change.call->getArg(1)->getSourceRange());
      });
    });
    if (!allThreadsReachEnd() && !mayBeWrapped(source, kernel))
      std::erase_if(kept_, [](const KeptWords& each) { return each.isFixed; });
  }

  Keepable keepable() const {
    return {std::ranges::any_of(kept_, [](const KeptWords& each) { return !each.isFixed; }),
            std::ranges::any_of(kept_, &KeptWords::isFixed)};
  }

  std::optional<Edits> edits(TallySize size) {
    const auto inside = source_.insideOf(body_);
    const auto first = source_.rangeOf(*body_.body_front());
    const auto last = source_.rangeOf(*body_.body_back());
    if (kept_.empty() || !inside || !first || !last || bytes(size) > mostBytes ||
        (size.tiles > 1 && !mayHaveTiles(source_, kernel_)))
      return std::nullopt;
    const auto fewer = fewerBlocksFor(source_, kernel_, size.tiles);
    const TiledBody around{size.tiles, mustBeWrapped(), fewer ? fewer->parameter : ""};
    if (around.isWrapped && !mayBeWrapped(source_, kernel_))
      return std::nullopt;
    indent_ = source_.indentAt(first->begin);
    for (const KeptWords& words : kept_)
      words.isFixed ? addTotals(words) : addTally(words, size);
    Edits edits =
        written(around, {first->begin, std::max(last->end, endOfLine(last->end, *inside))});
    if (fewer)
      edits.add(fewer->edits);
    return edits;
  }

private:
  bool allThreadsReachEnd() const { return findExits(body_).returns.empty(); }

  /// Step 2.
  bool mustBeWrapped() const {
    if (keepable().totals)
      return !allThreadsReachEnd();
    std::vector<const CallExpr*> all;
    for (const KeptWords& words : kept_)
      for (const Change& each : words.changes)
        all.push_back(each.call);
    Leaving leaving(all);
    leaving.TraverseStmt(kernel_.getBody());
    return leaving.found;
  }

  std::size_t bytes(TallySize size) const {
    std::size_t bytes = 0;
    for (const KeptWords& words : kept_) {
      const clang::QualType pointer = words.changes.front().call->getArg(0)->getType();
      const std::size_t word =
          pointer->isDependentType()
              ? sizeof(double)
              : source_.ast().getTypeSizeInChars(pointer->getPointeeType()).getQuantity();
      bytes += words.isFixed ? 0 : word * size.words * size.copies;
    }
    return bytes;
  }

  /// Behind a comment that stands there.
  std::size_t endOfLine(std::size_t at, Range inside) const {
    return std::min(source_.text().find('\n', at), inside.end);
  }

  std::string argument(const CallExpr& call, unsigned number) const {
    return source_.textOf(call.getArg(number)->getSourceRange());
  }

  void replace(const CallExpr& call, std::string text) {
    joins_.replace(*source_.rangeOf(call.getSourceRange()), std::move(text));
  }

  /// Step 3.
  void addTotals(const KeptWords& words) {
    std::map<std::string, std::string> known;
    for (const Change& each : words.changes) {
      const auto [total, isNew] = known.emplace(each.address.path + aggregatedName(*each.call), "");
      if (isNew) {
        total->second = names_.make(ownName(each.address.name));
        begin_ += fmt::format("heddle::thread_total<{}{}> {};\n{}", *wordType(source_, each),
                              operatorOf(*each.call), total->second, indent_);
        end_ += fmt::format("\n{}{}.end({});", indent_, total->second, argument(*each.call, 0));
      }
      replace(*each.call, fmt::format("{}.join({})", total->second, argument(*each.call, 1)));
    }
    usesTotals_ = true;
  }

  void addTally(const KeptWords& words, TallySize size) {
    const Change& any = words.changes.front();
    const std::string array = source_.textOf(any.address.words->getSourceRange());
    const std::string own = names_.make(ownName(nameOf(any.address)));
    begin_ += fmt::format("__shared__ heddle::block_tally<{}, {}{}> {};\n{}{}.begin();\n{}",
                          *wordType(source_, any), size.words,
                          size.copies > 1 ? fmt::format(", {}", size.copies) : "", own, indent_,
                          own, indent_);
    end_ += fmt::format("\n{}{}.end({});", indent_, own, array);
    for (const Change& each : words.changes) {
      const clang::Expr* index = each.address.index;
      replace(*each.call,
              fmt::format("{}.add({}, {}, {})", own, array,
                          index != nullptr ? source_.textOf(index->getSourceRange()) : "0",
                          argument(*each.call, 1)));
    }
    usesTallies_ = true;
  }

  /// Of the array, not of its element.
  static std::string nameOf(const AtomicAddress& address) {
    return address.isPlain ? address.root.name().substr(address.root.name().rfind('.') + 1)
                           : address.name;
  }

  Edits written(const TiledBody& around, Range code) const {
    Edits edits;
    for (const auto& [isUsed, header] : {std::pair{usesTallies_, "heddle/block_tally.cuh"},
                                         std::pair{usesTotals_, "heddle/thread_total.cuh"},
                                         std::pair{around.tiles > 1, "heddle/tiles.cuh"}})
      if (isUsed)
        edits.add(source_.include(header));
    if (around.begin().empty()) {
      edits.add(joins_);
      edits.insert(code.begin, begin_);
      edits.insert(code.end, end_);
      return edits;
    }
    const std::string leaves = around.tiles > 1 && around.blocks.empty()
                                   ? leaveWithoutTiles(around.tiles, indent_, source_.indentUnit())
                                   : "";
    const std::size_t line = source_.lineBegin(code.begin);
    const bool startsLine = line + indent_.size() == code.begin;
    const Range lines{startsLine ? line : code.begin, code.end};
    edits.replace(code, fmt::format("{}{}{}\n{}\n{}{}{}", leaves, begin_, around.begin(),
                                    indented(joins_.apply(source_.text(), lines),
                                             indent_ + source_.indentUnit()),
                                    indent_, around.end(), end_));
    return edits;
  }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const clang::CompoundStmt& body_;
  FreshNames names_;
  std::vector<KeptWords> kept_;
  std::string indent_, begin_, end_;
  Edits joins_;
  bool usesTallies_ = false, usesTotals_ = false;
};

bool isEmpty(const clang::FunctionDecl& kernel) {
  return llvm::cast<clang::CompoundStmt>(kernel.getBody())->body_empty();
}

} // namespace

Keepable findKeepable(const Source& source, const clang::FunctionDecl& kernel,
                      const std::vector<const CallExpr*>& atomics) {
  return isEmpty(kernel) ? Keepable{} : Keeper(source, kernel, atomics).keepable();
}

std::optional<Edits> keepInBlock(const Source& source, const clang::FunctionDecl& kernel,
                                 const std::vector<const CallExpr*>& atomics, TallySize size) {
  if (isEmpty(kernel))
    return std::nullopt;
  return Keeper(source, kernel, atomics).edits(size);
}

} // namespace heddle::rewrite::aggregate
