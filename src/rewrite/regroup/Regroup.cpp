// SPDX-License-Identifier: Apache-2.0
//
//   1. The loop must be the kernel's own, for blocks of one known size.
//   2. All threads of the block must reach it: an early return becomes a turn that is done.
//   3. What travels; nothing else may tell one thread from another, in the loop or behind it.
//   4. The text: struct, state and call in place of the loop, then the values back.
#include "rewrite/regroup/Regroup.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/FormNumbers.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/code/Words.h"
#include "rewrite/regroup/EarlyReturn.h"
#include "rewrite/regroup/Price.h"
#include "rewrite/regroup/Refusals.h"
#include "rewrite/regroup/TravellingState.h"
#include "rewrite/regroup/WholeLoop.h"
#include "rewrite/ways/LoopCall.h"
#include "rewrite/ways/WayCosts.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace heddle::rewrite::regroup {
namespace {

using clang::VarDecl;

constexpr std::size_t typeWidth = 90;
/// What a strip should run between two sorts. Guesses: both are tried, and the better one is kept.
constexpr std::array stripOperations = {500.0, 2000.0};

/// Names for the struct and its object that stand for nothing else in the kernel.
struct StateNames {
  const char* type;
  const char* object;
};
StateNames freeNames(const std::string& text) {
  for (const StateNames names : {StateNames{"State", "state"}, StateNames{"LoopState", "loopState"},
                                 StateNames{"ThreadState", "threadState"}})
    if (!hasWord(text, names.type) && !hasWord(text, names.object))
      return names;
  return {"RegroupedState", "regroupedState"};
}

/// "const " in the declaration of a variable that is set behind the loop.
std::optional<Range> constOf(const Source& source, const VarDecl& variable) {
  const auto range =
      source.rangeOf(clang::SourceRange(variable.getBeginLoc(), variable.getLocation()));
  if (!range)
    return std::nullopt;
  const std::string text = source.textOf(*range);
  const std::size_t pointer = text.rfind('*');
  const std::size_t at = text.find("const", pointer == std::string::npos ? 0 : pointer);
  if (at == std::string::npos)
    return std::nullopt;
  const std::size_t begin = range->begin + at;
  const std::size_t end = source.text().find_first_not_of(' ', begin + 5);
  return Range{begin, end};
}

/// Operations of one iteration.
double iterationLength(const Source& source, const Target& target, const clang::Stmt& loop) {
  const auto range = source.rangeOf(loop);
  return range ? wayLengths(source, loop, {*range}, target.measured.loops).front() : 1;
}

/// Iterations of a strip, which is to take several times as long as an exchange.
std::set<int> stripsOf(const Source& source, const Target& target, const clang::Stmt& loop) {
  if (const auto asked = numbersOf(target.form, "strip of ", "");
      asked && asked->size() == 1 && asked->front() > 0)
    return {asked->front()};
  const double length = iterationLength(source, target, loop);
  std::set<int> strips;
  for (const double operations : stripOperations)
    strips.insert(1 << std::clamp(std::lround(std::log2(operations / length)), 1L, 10L));
  return strips;
}

/// `if (c) break;` and `if (c) return;` say how often a loop goes around, as its condition does.
bool leavesLoop(const BranchStatement& branch) {
  const auto* test = llvm::dyn_cast<clang::IfStmt>(branch.statement);
  if (test == nullptr || test->getElse() != nullptr || branch.loop() == nullptr)
    return false;
  const clang::Stmt* then = test->getThen();
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(then); block && block->size() == 1)
    then = block->body_front();
  return llvm::isa<clang::BreakStmt, clang::ReturnStmt>(then);
}

class Regrouper {
public:
  /// `branch`: of the ways of a loop, or any in a loop that is cut into strips. 0: it is not.
  Regrouper(const Source& source, const Target& target, const BranchStatement& branch, int strip)
      : source_(source), target_(target), branch_(branch), strip_(strip),
        names_(freeNames(source.textOf(branch_.function->getBody()->getSourceRange()))) {}

  Legal<Proposal> propose();

private:
  Legal<void> checkBlock();
  Legal<void> cut();
  Legal<void> refuseOwnIndex() const;
  Legal<void> refuseOwnIndex(const clang::Stmt& code) const;
  void declareState();
  void beginParts();
  void takeBack();
  Legal<void> dropConst(Edits& edits) const;
  std::string assertion() const;
  std::string call() const;

  const Source& source_;
  const Target& target_;
  const BranchStatement& branch_;
  int strip_;
  StateNames names_;
  int blockSize_ = 0;
  WayLoop loop_;
  std::vector<double> lengths_; ///< of the ways
  std::optional<EarlyReturn> early_;
  TravellingState state_;
  bool returns_ = false;             ///< threads may return before the loop or in it
  std::vector<std::string> members_; ///< of the state: their names
};

/// Step 1.
Legal<void> Regrouper::checkBlock() {
  if (!branch_.function->hasAttr<clang::CUDAGlobalAttr>())
    return refuse(refusals["not-in-kernel"], "the loop is in {}, and a kernel must hold it itself",
                  branch_.function->getNameAsString());
  const auto& block = target_.measured.block;
  blockSize_ = std::accumulate(block.begin(), block.end(), 1, std::multiplies<>());
  if (blockSize_ == 0)
    return refuse(refusals["block-size-unknown"],
                  "the launches have blocks of different or unknown sizes");
  if (blockSize_ % warpSize != 0)
    return refuse(refusals["block-size"], "blocks of {} threads are no whole number of warps",
                  blockSize_);
  return {};
}

Legal<void> Regrouper::refuseOwnIndex(const clang::Stmt& code) const {
  const ThreadIndexUses uses = findThreadIndex(code);
  if (!uses.names.empty())
    return refuse(refusals["thread-index-inside"],
                  "line {} uses threadIdx, which another thread may run: read it into a variable "
                  "in front of the loop",
                  source_.lineOf(uses.names.front()->getBeginLoc()));
  if (!uses.calls.empty())
    return refuse(refusals["thread-index-inside"], "line {} calls {}, which uses threadIdx",
                  source_.lineOf(uses.calls.front()->getBeginLoc()),
                  uses.calls.front()->getDirectCallee()->getNameAsString());
  return {};
}

/// Step 3, for what is no variable: the thread's index, and the warp it is in.
Legal<void> Regrouper::refuseOwnIndex() const {
  for (const Placed& instance : branch_.instances) {
    const Behind rest = behind(instance);
    std::vector<const clang::Stmt*> code = rest.after;
    code.insert(code.end(), rest.loops.begin(), rest.loops.end());
    for (const clang::Stmt* each : code)
      if (auto talks = refuseWarpCommunication(source_, *each); !talks)
        return talks;
    const auto* counted = llvm::dyn_cast<clang::ForStmt>(instance.loop());
    for (const clang::Stmt* part : instance.loop()->children())
      if (part != nullptr && (counted == nullptr || part != counted->getInit()))
        code.push_back(part);
    for (const clang::Stmt* each : code)
      if (auto used = refuseOwnIndex(*each); !used)
        return used;
  }
  return {};
}

std::string Regrouper::assertion() const {
  const auto& block = target_.measured.block;
  const bool flat = block[1] == 1 && block[2] == 1;
  return fmt::format("assert({} == {});",
                     flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z", blockSize_);
}

/// Step 4: what is in the state already first, so that the object is made from it.
void Regrouper::declareState() {
  std::vector<std::string> fields, values, copies;
  const auto add = [&](const VarDecl& variable) {
    fields.push_back(declarationOf(source_, variable));
    members_.push_back(variable.getNameAsString());
  };
  for (const VarDecl* variable : state_.variables)
    if (!variable->getType()->isArrayType()) {
      add(*variable);
      values.push_back(variable->getNameAsString());
    }
  if (returns_) {
    fields.emplace_back("bool hasReturned");
    members_.emplace_back("hasReturned");
    if (early_)
      values.emplace_back("hasReturned");
  }
  for (const VarDecl* variable : state_.variables)
    if (variable->getType()->isArrayType()) {
      add(*variable);
      const std::string name = variable->getNameAsString();
      copies.push_back(fmt::format("memcpy({0}.{1}, {1}, sizeof {1});", names_.object, name));
    }
  const bool hasInit = loop_.init != nullptr && !early_;
  std::vector<std::string> setUp = {assertion()};
  if (hasInit) {
    const std::string text = source_.textOf(*source_.rangeOf(*loop_.init));
    setUp.push_back(text.ends_with(';') ? text : text + ";");
  }
  for (std::size_t i = 0; i < loop_.hoisted.variables.size(); ++i) {
    const VarDecl& variable = *loop_.hoisted.variables[i];
    if (variable.isConstexpr())
      setUp.push_back(loop_.hoisted.declarations[i]);
    else
      add(variable);
  }
  std::string type = fmt::format("struct {} {{ {}; }};", names_.type, fmt::join(fields, "; "));
  if (type.size() > typeWidth)
    type = fmt::format("struct {} {{\n{}{};\n}};", names_.type, source_.indentUnit(),
                       fmt::join(fields, ";\n" + source_.indentUnit()));
  setUp.push_back(type);
  setUp.push_back(fmt::format("{} {}{{{}}};", names_.type, names_.object, fmt::join(values, ", ")));
  setUp.insert(setUp.end(), copies.begin(), copies.end());
  loop_.setUp = std::move(setUp);
}

/// The names of the state in each part that uses one.
void Regrouper::beginParts() {
  if (early_)
    loop_.next =
        "if (hasReturned)\n" + source_.indentUnit() + "return heddle::done;\n" + loop_.next;
  const std::string binding =
      fmt::format("auto& [{}] = {};\n", fmt::join(members_, ", "), names_.object);
  const auto begin = [&](std::string& part) {
    if (std::ranges::any_of(members_, [&](const auto& name) { return hasWord(part, name); }))
      part = binding + part;
  };
  begin(loop_.next);
  std::ranges::for_each(loop_.ways, begin);
  begin(loop_.after);
}

void Regrouper::takeBack() {
  std::vector<std::string> lines;
  if (returns_)
    lines.push_back(
        fmt::format("if ({}.hasReturned)\n{}return;", names_.object, source_.indentUnit()));
  for (const VarDecl* variable : state_.variables) {
    const std::string name = variable->getNameAsString();
    if (!state_.usedBehind.contains(variable))
      continue;
    lines.push_back(variable->getType()->isArrayType()
                        ? fmt::format("memcpy({1}, {0}.{1}, sizeof {1});", names_.object, name)
                        : fmt::format("{1} = {0}.{1};", names_.object, name));
  }
  loop_.leaving = fmt::format("{}", fmt::join(lines, "\n"));
}

Legal<void> Regrouper::dropConst(Edits& edits) const {
  std::set<Range> dropped;
  for (const VarDecl* variable : state_.usedBehind) {
    const bool moved =
        early_ && std::ranges::find(early_->movedOut, variable) != early_->movedOut.end();
    if (moved || !variable->getType().isConstQualified())
      continue;
    const auto word = constOf(source_, *variable);
    if (!word)
      return refuse(refusals["state-cannot-travel"],
                    "{} in line {} is constant, and is set behind the loop",
                    variable->getNameAsString(), source_.lineOf(variable->getLocation()));
    if (dropped.insert(*word).second)
      edits.remove(*word);
  }
  return {};
}

std::string Regrouper::call() const {
  // How long a path is decides when to regroup; it is known of strips, and where a run has counted
  // the loops.
  const double sum = std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
  const std::string length =
      target_.measured.loops.empty() && strip_ == 0
          ? ""
          : fmt::format(", heddle::regroup_when::mixed, {}",
                        std::max(1L, std::lround(sum / double(lengths_.size()))));
  return fmt::format("heddle::regrouped_loop<{}, {}, {}{}>", blockSize_, loop_.ways.size(),
                     names_.type, length);
}

Legal<void> Regrouper::cut() {
  auto cut = strip_ == 0 ? cutLoop(source_, branch_) : cutWholeLoop(source_, branch_, strip_);
  if (!cut)
    return tl::unexpected(cut.error());
  loop_ = std::move(*cut);
  lengths_ = strip_ == 0
                 ? wayLengths(source_, *branch_.statement, loop_.armRanges, target_.measured.loops)
                 : std::vector{strip_ * iterationLength(source_, target_, *loop_.loop)};
  return {};
}

Legal<Proposal> Regrouper::propose() {
  if (auto checked = checkBlock(); !checked)
    return tl::unexpected(checked.error());
  if (auto done = cut(); !done)
    return tl::unexpected(done.error());
  auto early = skipInsteadOfReturn(source_, branch_, loop_); // Step 2
  if (!early)
    return tl::unexpected(early.error());
  early_ = std::move(*early);
  returns_ = early_ || !loop_.leaving.empty();
  if (auto used = refuseOwnIndex(); !used)
    return tl::unexpected(used.error());
  auto state = findTravellingState(source_, branch_, loop_,
                                   {blockSize_, target_.measured.limits.sharedPerBlock});
  if (!state)
    return tl::unexpected(state.error());
  state_ = std::move(*state);

  declareState();
  beginParts();
  takeBack();
  Edits edits = source_.include("cassert");
  edits.add(source_.include("heddle/regroup.cuh"));
  if (auto dropped = dropConst(edits); !dropped)
    return tl::unexpected(dropped.error());
  if (early_)
    edits.add(early_->edits);
  edits.add(loop_.pragmas);
  const std::string opening = fmt::format("[&]({0}& {1}) {{", names_.type, names_.object);
  edits.replace(loop_.range, loopCall(source_, loop_, call(), names_.object, opening));
  return Proposal{strip_ == 0 ? "" : fmt::format("strip of {}", strip_), std::move(edits),
                  lengths_};
}

constexpr std::string_view forms[] = {"", "strip"};

} // namespace

Legal<std::vector<Proposal>> proposeRegroupedLoop(const Source& source, const Target& target) {
  const BranchStatement& at = *target.branch;
  const BranchStatement branch = isLoop(*at.statement) ? bodyOf(at) : at;
  const std::set<int> strips = isLoop(*at.statement) || leavesLoop(at)
                                   ? stripsOf(source, target, *branch.loop())
                                   : std::set{0};
  std::vector<Proposal> proposals;
  for (const int strip : strips) {
    auto proposal = Regrouper(source, target, branch, strip).propose();
    if (!proposal)
      return tl::unexpected(proposal.error());
    proposals.push_back(std::move(*proposal));
  }
  return proposals;
}

const Rewrite room{
    .name = "regroup",
    .summary = "swap the states of a loop between threads, so that equal ways share warps",
    .forms = forms,
    .formsAreAlike = true,
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeRegroupedLoop,
    .price = priceRegrouping,
};

} // namespace heddle::rewrite::regroup
