// SPDX-License-Identifier: Apache-2.0
//
//   1. Of the element in front: one statement, `a[k] += a[k - 1]` or `a[k] = a[k - 1] + x`.
//   2. Of a variable: one statement adds to it, all others read it either before or behind that.
//   3. What an item adds is computed before anything is stored: it must read nothing that this item
//      has stored before, and other items store elsewhere (ItemPlaces.h).
//   4. Items of a list: how many came before chooses where each is stored (AppendLoop.h).
#include "rewrite/rows/ScanLoop.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/rows/AppendLoop.h"
#include "rewrite/rows/ItemPlaces.h"
#include "rewrite/rows/OwnValues.h"

#include <algorithm>
#include <optional>
#include <set>

namespace heddle::rewrite {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

/// Sums of such numbers have the same bits in any order.
bool addsWhole(clang::QualType type) {
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType();
}

class ScanReader {
public:
  ScanReader(const Source& source, const BranchStatement& placed, const RowLoop& loop, Rows rows)
      : source_(source), placed_(placed), loop_(loop), rows_(rows), uses_(*loop.function) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(loop.body))
      statements_.assign(block->body_begin(), block->body_end());
    else
      statements_ = {loop.body};
    std::erase(statements_, loop.lastStatement);
  }

  Legal<ScanLoop> read();

private:
  tl::unexpected<Refusal> no(const char* why) const {
    return refuse(common["carried-over"], "the loop in line {} {}",
                  source_.lineOf(loop_.loop->getBeginLoc()), why);
  }
  Legal<void> checkCode() const;
  bool readElement();
  bool readAppend();
  Legal<void> readVariable();
  const BinaryOperator* findUpdate() const;
  Legal<void> checkOrder(const BinaryOperator& update, const Expr& added) const;
  void writeVariable(const BinaryOperator& update, const Expr& added, bool isInclusive);
  std::optional<std::int64_t> offsetOf(const Expr& index) const;
  bool isFront(const Expr& value, const clang::ArraySubscriptExpr& place) const;
  std::string frontOfFirst(const clang::ArraySubscriptExpr& place) const;
  static bool mentions(const Stmt& code, const VarDecl& variable) {
    const std::vector<const VarDecl*> all = variablesIn(code);
    return std::ranges::find(all, &variable) != all.end();
  }
  std::string textOf(const Stmt& part) const { return source_.textOf(part.getSourceRange()); }
  std::string linesOfStatement(const Stmt& statement) const {
    const auto range = source_.rangeOf(statement);
    return range ? linesOf(source_, *range, {}) + "\n" : "";
  }
  bool isText() const {
    return std::ranges::all_of(
        statements_, [&](const Stmt* each) { return source_.rangeOf(*each).has_value(); });
  }

  const Source& source_;
  const BranchStatement& placed_;
  const RowLoop& loop_;
  Rows rows_;
  MemoryUses uses_;
  std::vector<const Stmt*> statements_;
  ScanLoop scan_;
};

Legal<void> ScanReader::checkCode() const {
  if (auto legal = refuseAllButShared(source_, *loop_.loop); !legal)
    return legal;
  if (!findExits(*loop_.body).empty())
    return no("is left early");
  ThreadIndexUses asked = findThreadIndex(*loop_.body);
  if (rows_ == Rows::OfWarps && !asked.names.empty())
    asked.names = WarpValues(source_, *loop_.function, rows_).laneNames(*loop_.body);
  if (!asked.names.empty() || !asked.calls.empty())
    return refuse(common["thread-index-inside"], "the loop in line {} asks for threadIdx",
                  source_.lineOf(loop_.loop->getBeginLoc()));
  if (!isText())
    return refuse(common["macro-in-the-way"], "the loop in line {} has code from a macro",
                  source_.lineOf(loop_.loop->getBeginLoc()));
  return {};
}

/// The constant of `k`, `k + 1` or `k - 1`.
std::optional<std::int64_t> ScanReader::offsetOf(const Expr& index) const {
  const Expr* bare = index.IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare))
    return name->getDecl() == loop_.item ? std::optional<std::int64_t>(0) : std::nullopt;
  const auto* binary = llvm::dyn_cast<BinaryOperator>(bare);
  Expr::EvalResult result;
  if (binary == nullptr || !binary->isAdditiveOp() || binary->getRHS()->isValueDependent() ||
      !binary->getRHS()->EvaluateAsInt(result, source_.ast()))
    return std::nullopt;
  const auto left = offsetOf(*binary->getLHS());
  const std::int64_t by = result.Val.getInt().getExtValue();
  if (!left)
    return std::nullopt;
  return binary->getOpcode() == clang::BO_Add ? *left + by : *left - by;
}

/// The element that the item before has stored.
bool ScanReader::isFront(const Expr& value, const clang::ArraySubscriptExpr& place) const {
  const auto* front = llvm::dyn_cast<clang::ArraySubscriptExpr>(value.IgnoreParenImpCasts());
  if (front == nullptr || textOf(*front->getBase()) != textOf(*place.getBase()))
    return false;
  const auto here = offsetOf(*place.getIdx()), there = offsetOf(*front->getIdx());
  return here && there && *here - *there == loop_.step;
}

/// `a[0]`, where the first item is 1.
std::string ScanReader::frontOfFirst(const clang::ArraySubscriptExpr& place) const {
  const std::int64_t constant = *offsetOf(*place.getIdx()) - loop_.step;
  Expr::EvalResult result;
  const bool isKnown = loop_.begin != nullptr && !loop_.begin->isValueDependent() &&
                       loop_.begin->EvaluateAsInt(result, source_.ast());
  if (isKnown)
    return fmt::format("{}[{}]", textOf(*place.getBase()),
                       result.Val.getInt().getExtValue() + constant);
  const char* sign = constant < 0 ? "-" : "+";
  return constant == 0 ? fmt::format("{}[{}]", textOf(*place.getBase()), loop_.beginText)
                       : fmt::format("{}[({}) {} {}]", textOf(*place.getBase()), loop_.beginText,
                                     sign, std::abs(constant));
}

/// Step 1.
bool ScanReader::readElement() {
  const auto* value = statements_.size() == 1 ? llvm::dyn_cast<Expr>(statements_.front()) : nullptr;
  const auto* set =
      value != nullptr ? llvm::dyn_cast<BinaryOperator>(value->IgnoreParenImpCasts()) : nullptr;
  const auto* place = set != nullptr
                          ? llvm::dyn_cast<clang::ArraySubscriptExpr>(set->getLHS()->IgnoreParens())
                          : nullptr;
  if (place == nullptr || !addsWhole(place->getType()) || !offsetOf(*place->getIdx()))
    return false;
  const Expr* base = place->getBase()->IgnoreParenImpCasts();
  if (!llvm::isa<clang::DeclRefExpr>(base) || mentions(*base, *loop_.item))
    return false;
  const Expr* added = nullptr;
  if (set->getOpcode() == clang::BO_AddAssign && isFront(*set->getRHS(), *place)) {
    added = place;
  } else if (set->getOpcode() == clang::BO_Assign) {
    const auto* sum = llvm::dyn_cast<BinaryOperator>(set->getRHS()->IgnoreParenImpCasts());
    if (sum == nullptr || sum->getOpcode() != clang::BO_Add)
      return false;
    added = isFront(*sum->getLHS(), *place)   ? sum->getRHS()
            : isFront(*sum->getRHS(), *place) ? sum->getLHS()
                                              : nullptr;
  }
  if (added == nullptr || !added->IgnoreParenImpCasts()->getType()->isIntegerType() ||
      !effectsOf(*added).pure() || !uses_.of(*added).written.empty())
    return false;
  const bool isItself = textOf(*added->IgnoreParenImpCasts()) == textOf(*place);
  if (!isItself && findConflict(uses_.of(*added), uses_.of(*set)) != nullptr)
    return false;
  const auto* type = place->getType()->getAs<clang::BuiltinType>();
  scan_.function = "heddle::spread_scan_from";
  scan_.start = frontOfFirst(*place);
  scan_.type = type != nullptr ? type->getName(source_.ast().getPrintingPolicy()).str() : "auto";
  scan_.name = FreshNames(source_, *loop_.function).make("sum");
  scan_.value = "return " + textOf(*added) + ";";
  scan_.store = textOf(*place) + " = " + scan_.name + ";";
  return true;
}

/// Step 4.
bool ScanReader::readAppend() {
  auto append = readAppendLoop(source_, loop_);
  if (!append)
    return false;
  scan_.sum = append->count;
  scan_.function = "heddle::spread_scan_before";
  scan_.start = scan_.name = append->count->getNameAsString();
  scan_.type = typeText(source_, *append->count);
  scan_.value = std::move(append->value);
  scan_.store = std::move(append->store);
  return true;
}

/// The only statement that adds to what it is about: `sum += x` or `sum = sum + x`.
const BinaryOperator* ScanReader::findUpdate() const {
  const BinaryOperator* found = nullptr;
  for (const Stmt* each : statements_) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    const auto* set =
        value != nullptr ? llvm::dyn_cast<BinaryOperator>(value->IgnoreParenImpCasts()) : nullptr;
    const auto* name = set != nullptr
                           ? llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens())
                           : nullptr;
    const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    const std::vector<const VarDecl*> inner = declaredIn(*loop_.body);
    if (variable == nullptr || variable == loop_.item ||
        std::ranges::find(inner, variable) != inner.end())
      continue;
    if (found != nullptr)
      return nullptr;
    found = set;
  }
  return found;
}

/// Step 3.
Legal<void> ScanReader::checkOrder(const BinaryOperator& update, const Expr& added) const {
  MemoryUse stored;
  for (const Stmt* each : statements_) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    if (value != nullptr && value->IgnoreParenImpCasts() == &update)
      return findConflict(uses_.of(added), stored) != nullptr
                 ? no("adds what the same item has stored before")
                 : Legal<void>{};
    if (llvm::isa<clang::DeclStmt>(each) && findConflict(uses_.of(*each), stored) != nullptr)
      return no("reads what the same item has stored before");
    const MemoryUse use = uses_.of(*each);
    stored.written.insert(use.written.begin(), use.written.end());
  }
  return {};
}

/// Without the declarations that nobody needs any more.
void ScanReader::writeVariable(const BinaryOperator& update, const Expr& added, bool isInclusive) {
  const auto isUpdate = [&](const Stmt* each) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    return value != nullptr && value->IgnoreParenImpCasts() == &update;
  };
  const auto write = [&](const std::vector<const Stmt*>& all, const Stmt* last) {
    std::set<const VarDecl*> used;
    if (last != nullptr)
      for (const VarDecl* each : variablesIn(*last))
        used.insert(each);
    std::string text;
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      const auto* declares = llvm::dyn_cast<clang::DeclStmt>(*each);
      if (declares == nullptr && last != nullptr)
        continue;
      const std::vector<const VarDecl*> made = declaredIn(**each);
      if (declares != nullptr &&
          std::ranges::none_of(made, [&](const VarDecl* one) { return used.contains(one); }))
        continue;
      for (const VarDecl* one : variablesIn(**each))
        used.insert(one);
      text.insert(0, linesOfStatement(**each));
    }
    return text;
  };
  std::vector<const Stmt*> front, others;
  const auto at = std::ranges::find_if(statements_, isUpdate);
  front.assign(statements_.begin(), at);
  std::ranges::copy_if(statements_, std::back_inserter(others),
                       [&](const Stmt* each) { return !isUpdate(each); });
  scan_.value = write(front, &added) + "return " + textOf(added) + ";";
  scan_.store = write(others, nullptr);
  scan_.function = isInclusive ? "heddle::spread_scan" : "heddle::spread_scan_before";
  scan_.start = scan_.name = scan_.sum->getNameAsString();
  scan_.type = typeText(source_, *scan_.sum);
}

/// Step 2.
Legal<void> ScanReader::readVariable() {
  const BinaryOperator* update = findUpdate();
  if (update == nullptr)
    return no("changes more than one variable, or one in more than one place");
  scan_.sum = llvm::cast<VarDecl>(
      llvm::cast<clang::DeclRefExpr>(update->getLHS()->IgnoreParens())->getDecl());
  const VarDecl& sum = *scan_.sum;
  const Expr* added = update->getOpcode() == clang::BO_AddAssign ? update->getRHS() : nullptr;
  if (const auto* two = llvm::dyn_cast<BinaryOperator>(update->getRHS()->IgnoreParenImpCasts());
      update->getOpcode() == clang::BO_Assign && two != nullptr &&
      two->getOpcode() == clang::BO_Add && !mentions(*two->getRHS(), sum)) {
    const auto* itself = llvm::dyn_cast<clang::DeclRefExpr>(two->getLHS()->IgnoreParenImpCasts());
    added = itself != nullptr && itself->getDecl() == &sum ? two->getRHS() : nullptr;
  }
  const bool isOurs = sum.hasLocalStorage() && !sum.getType()->isReferenceType() &&
                      !effectsOf(*loop_.function).exposed.contains(&sum);
  if (added == nullptr || !isOurs || !addsWhole(sum.getType()) || mentions(*added, sum) ||
      !added->IgnoreParenImpCasts()->getType()->isIntegerType() || !effectsOf(*added).pure())
    return no("needs more of the items before than an integer's sum");
  bool before = false, behind = false, isBehind = false;
  for (const Stmt* each : statements_) {
    const auto* value = llvm::dyn_cast<Expr>(each);
    if (value != nullptr && value->IgnoreParenImpCasts() == update) {
      isBehind = true;
      continue;
    }
    const std::set<const VarDecl*> changed = modifiedIn(*each);
    const std::vector<const VarDecl*> inner = declaredIn(*loop_.body);
    const bool changesMore = std::ranges::any_of(changed, [&](const VarDecl* one) {
      return one->hasLocalStorage() && std::ranges::find(inner, one) == inner.end();
    });
    if (changesMore)
      return no("changes more than one variable");
    (isBehind ? behind : before) |= mentions(*each, sum);
  }
  if (before == behind)
    return no("needs the sum both before and behind its change");
  if (auto legal = checkOrder(*update, *added); !legal)
    return legal;
  writeVariable(*update, *added, behind);
  const auto places = checkItemPlaces(source_, loop_, {});
  return places ? Legal<void>{} : tl::unexpected(places.error());
}

Legal<ScanLoop> ScanReader::read() {
  if (auto legal = checkCode(); !legal)
    return tl::unexpected(legal.error());
  if (!readElement() && !readAppend())
    if (auto legal = readVariable(); !legal)
      return tl::unexpected(legal.error());
  scan_.shared = SharedLoop{placed_, loop_, {}, {}};
  if (scan_.sum != nullptr)
    scan_.shared.body.accumulators.push_back({Joining::Sum, {scan_.sum}});
  auto own = findOwnValues(source_, placed_, loop_, scan_.shared.body);
  if (!own)
    return tl::unexpected(own.error());
  scan_.shared.own = *std::move(own);
  scan_.shared.body.stores = true;
  return std::move(scan_);
}

} // namespace

Legal<ScanLoop> findScanLoop(const Source& source, const BranchStatement& branch, Rows rows) {
  const auto placed = rowLoopOf(branch);
  if (!placed)
    return refuse(common["no-row-loop"], "the branch is no loop and does not break out of one");
  std::optional<ScanLoop> scan;
  for (const Placed& instance : placed->instances) {
    const auto loop = readRowLoop(source, instance);
    if (!loop)
      return tl::unexpected(loop.error());
    auto each = ScanReader(source, *placed, *loop, rows).read();
    if (!each)
      return each;
    if (scan && scanText(source, *scan, "", "") != scanText(source, *each, "", ""))
      return refuse(common["carried-over"],
                    "the loop in line {} is another one in each instance of its template",
                    source.lineOf(placed->statement->getBeginLoc()));
    scan = *std::move(each);
  }
  return *std::move(scan);
}

std::string scanText(const Source& source, const ScanLoop& scan, const std::string& begin,
                     const std::string& end) {
  const std::string& unit = source.indentUnit();
  const std::string more = unit + unit;
  const RowLoop& loop = scan.shared.loop;
  const std::string item = typeText(source, *loop.item) + " " + loop.item->getNameAsString();
  std::string own, parameters;
  for (const VarDecl* each : scan.shared.own) {
    own += (own.empty() ? "" : ", ") + each->getNameAsString();
    parameters += ", " + ownParameter(source, *each);
  }
  const std::string step = loop.step != 1 ? fmt::format("<{}>", loop.step) : "";
  const auto lambda = [&](const std::string& last, const std::string& body) {
    return fmt::format("{}[&]({}{}{}) {{\n{}\n{}}}", more, item, parameters, last,
                       indented(body, more + unit), more);
  };
  return fmt::format("{}{}({}, {}, {},{}\n{},\n{});", scan.function, step, begin, end, scan.start,
                     own.empty() ? "" : " heddle::own(" + own + "),", lambda("", scan.value),
                     lambda(fmt::format(", {} {}", scan.type, scan.name), scan.store));
}

} // namespace heddle::rewrite
