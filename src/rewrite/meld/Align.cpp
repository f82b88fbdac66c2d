// SPDX-License-Identifier: Apache-2.0
//
//   1. Variables of the arms with one name and type stand for each other, and others of a type in
//      the order in which they are declared.
//   2. Every statement of an arm is held against every one of the other: what both share is worth
//      their length, less what it takes to choose operands.
//   3. The pairs of most worth that keep the order of both arms (the longest common sub-sequence).
//   4. What is not worth the branch around its neighbours stays in them.
//   5. The pairs are matched once more, one after the other, with what the ones before declare; one
//      that does not match then is no pair, and it begins anew.
#include "rewrite/meld/Align.h"

#include "rewrite/code/Effects.h"
#include "rewrite/meld/PartCost.h"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::rewrite::meld {
namespace {

using clang::Stmt;
using clang::VarDecl;
using Pair = std::pair<std::size_t, std::size_t>;

// Instructions: estimates.
constexpr double perChoice = 1.5;
constexpr double perTurn = 8;    ///< choices in a loop that cannot be made in front of it
constexpr double perBranch = 6;  ///< one branch more
constexpr double atLeast = 0.25; ///< a declaration has no length, but is better shared

std::vector<const VarDecl*> declaredBy(const Stmt& statement) {
  std::vector<const VarDecl*> variables;
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement))
    for (const clang::Decl* each : declares->decls())
      if (const auto* variable = llvm::dyn_cast<VarDecl>(each))
        variables.push_back(variable);
  return variables;
}

/// A name or a constant, which is mostly chosen in front.
bool isPlain(const clang::Expr& operand) {
  const clang::Expr* bare = operand.IgnoreParenImpCasts();
  return llvm::isa<clang::DeclRefExpr>(bare) || bare->children().empty();
}

bool areOfOneType(const VarDecl& first, const VarDecl& other) {
  return first.hasLocalStorage() && other.hasLocalStorage() &&
         first.getType().getCanonicalType() == other.getType().getCanonicalType();
}

/// Those of one name and type, then those of a type.
void unite(Twins& twins, std::vector<const VarDecl*> first, std::vector<const VarDecl*> other) {
  for (const bool sameName : {true, false})
    for (const VarDecl*& mine : first)
      for (const VarDecl*& theirs : other)
        if (mine != nullptr && theirs != nullptr && areOfOneType(*mine, *theirs) &&
            (!sameName || mine->getName() == theirs->getName())) {
          twins[theirs] = mine;
          mine = theirs = nullptr;
        }
}

class Aligner {
public:
  Aligner(const Source& source, Statements first, Statements other, bool isPattern,
          const std::vector<MeasuredLoop>& loops)
      : source_(source), first_(std::move(first)), other_(std::move(other)), isPattern_(isPattern),
        loops_(loops) {}

  Alignment align();
  /// Whether these parts are alike here, too.
  bool holds(const std::vector<Part>& parts) const;

private:
  Twins twinsOf(const std::vector<Pair>& pairs) const;
  double worthOf(std::size_t i, std::size_t j, const Twins& twins) const;
  void weigh();
  std::vector<Pair> bestPairs() const;
  void dropShortRuns(std::vector<Pair>& pairs) const;
  bool confirm(const std::vector<Pair>& pairs, Alignment& result);
  std::vector<Part> partsOf(const std::vector<Pair>& pairs) const;
  double cost(const Stmt& code) const { return costOf(source_, code, loops_); }
  double& worth(std::size_t i, std::size_t j) { return worth_[i * other_.size() + j]; }
  double worth(std::size_t i, std::size_t j) const { return worth_[i * other_.size() + j]; }

  const Source& source_;
  Statements first_, other_;
  bool isPattern_;
  const std::vector<MeasuredLoop>& loops_;
  std::vector<double> worth_; ///< of each pair; 0: it is none
};

/// Step 1, for what no pair declares: those stand for each other once they are matched.
Twins Aligner::twinsOf(const std::vector<Pair>& pairs) const {
  std::set<const Stmt*> paired;
  for (const auto& [i, j] : pairs)
    paired.insert({first_[i], other_[j]});
  const auto rest = [&](const Statements& statements) {
    std::vector<const VarDecl*> variables;
    for (const Stmt* each : statements)
      if (!paired.contains(each))
        for (const VarDecl* variable : declaredBy(*each))
          variables.push_back(variable);
    return variables;
  };
  Twins twins;
  unite(twins, rest(first_), rest(other_));
  return twins;
}

/// Step 2.
double Aligner::worthOf(std::size_t i, std::size_t j, const Twins& twins) const {
  if (first_[i]->getStmtClass() != other_[j]->getStmtClass())
    return 0;
  Twins known = twins;
  const auto matched = matchParts(source_, *first_[i], *other_[j], isPattern_, known);
  if (!matched)
    return 0;
  double chosen = 0, operands = 0;
  for (const Choice& choice : *matched) {
    const bool again = choice.repeats && !(isPlain(*choice.first) && isPlain(*choice.other));
    chosen += perChoice * (again ? perTurn : 1);
    operands += std::max(cost(*choice.first), cost(*choice.other)) * (again ? perTurn : 1);
  }
  const double shared = std::min(cost(*first_[i]), cost(*other_[j])) - operands;
  return std::max(0.0, shared - chosen + atLeast);
}

void Aligner::weigh() {
  const Twins twins = twinsOf({});
  worth_.assign(first_.size() * other_.size(), 0);
  for (std::size_t i = 0; i < first_.size(); ++i)
    for (std::size_t j = 0; j < other_.size(); ++j)
      worth(i, j) = worthOf(i, j, twins);
}

/// Step 3.
std::vector<Pair> Aligner::bestPairs() const {
  const std::size_t n = first_.size(), m = other_.size();
  std::vector<double> best((n + 1) * (m + 1)); // of what is behind
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return best[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = std::max(
          {at(i + 1, j), at(i, j + 1), worth(i, j) > 0 ? at(i + 1, j + 1) + worth(i, j) : 0});
  std::vector<Pair> pairs;
  for (std::size_t i = 0, j = 0; i < n && j < m;)
    if (worth(i, j) > 0 && at(i, j) == at(i + 1, j + 1) + worth(i, j)) {
      pairs.emplace_back(i++, j++);
    } else {
      (at(i, j) == at(i + 1, j) ? i : j) += 1;
    }
  return pairs;
}

/// Step 4: a run with something unlike in front and behind makes one branch two.
void Aligner::dropShortRuns(std::vector<Pair>& pairs) const {
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin + 1;
    double sum = worth(pairs[begin].first, pairs[begin].second);
    for (; end < pairs.size() && pairs[end].first == pairs[end - 1].first + 1 &&
           pairs[end].second == pairs[end - 1].second + 1;
         ++end)
      sum += worth(pairs[end].first, pairs[end].second);
    const bool opens = pairs[begin] == Pair{0, 0};
    const bool closes = pairs[end - 1] == Pair{first_.size() - 1, other_.size() - 1};
    if (!opens && !closes && sum < perBranch)
      pairs.erase(pairs.begin() + std::ptrdiff_t(begin), pairs.begin() + std::ptrdiff_t(end));
    else
      begin = end;
  }
}

/// Step 5.
bool Aligner::confirm(const std::vector<Pair>& pairs, Alignment& result) {
  result.twins = twinsOf(pairs);
  for (const auto& [i, j] : pairs) {
    auto matched = matchParts(source_, *first_[i], *other_[j], isPattern_, result.twins);
    if (!matched) {
      worth(i, j) = 0;
      return false;
    }
    result.alike += worth(i, j);
    result.choices.insert(result.choices.end(), matched->begin(), matched->end());
  }
  return true;
}

std::vector<Part> Aligner::partsOf(const std::vector<Pair>& pairs) const {
  std::vector<Part> parts;
  std::size_t i = 0, j = 0;
  const auto between = [&](std::size_t nextFirst, std::size_t nextOther) {
    if (i < nextFirst || j < nextOther)
      parts.push_back({false, i, j, nextFirst - i, nextOther - j});
  };
  for (const auto& [first, other] : pairs) {
    between(first, other);
    parts.push_back({true, first, other, 1, 1});
    i = first + 1;
    j = other + 1;
  }
  between(first_.size(), other_.size());
  return parts;
}

Alignment Aligner::align() {
  weigh();
  for (;;) {
    std::vector<Pair> pairs = bestPairs();
    dropShortRuns(pairs);
    Alignment result;
    if (!confirm(pairs, result)) // one pair less
      continue;
    result.parts = partsOf(pairs);
    for (const Stmt* each : first_)
      result.firstLength += cost(*each);
    for (const Stmt* each : other_)
      result.otherLength += cost(*each);
    return result;
  }
}

bool Aligner::holds(const std::vector<Part>& parts) const {
  std::vector<Pair> pairs;
  std::size_t first = 0, other = 0;
  for (const Part& part : parts) {
    if (part.alike)
      pairs.emplace_back(part.first, part.other);
    first += part.firstCount;
    other += part.otherCount;
  }
  if (first != first_.size() || other != other_.size())
    return false;
  Twins twins = twinsOf(pairs);
  return std::ranges::all_of(pairs, [&](const Pair& pair) {
    return matchParts(source_, *first_[pair.first], *other_[pair.second], false, twins).has_value();
  });
}

} // namespace

Statements statementsOf(const Stmt& arm) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&arm);
  return block != nullptr ? Statements{block->body_begin(), block->body_end()} : Statements{&arm};
}

Alignment align(const Source& source, const Stmt& first, const Stmt& other, bool isPattern,
                const std::vector<MeasuredLoop>& loops) {
  return Aligner(source, statementsOf(first), statementsOf(other), isPattern, loops).align();
}

bool isAlikeToo(const Source& source, const Alignment& alignment, const Stmt& first,
                const Stmt& other) {
  return Aligner(source, statementsOf(first), statementsOf(other), false, {})
      .holds(alignment.parts);
}

} // namespace heddle::rewrite::meld
