// SPDX-License-Identifier: Apache-2.0
#include "rewrite/items/ItemBlocks.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/items/ItemIndex.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace heddle::rewrite {
namespace {

using clang::Stmt;
using clang::VarDecl;

constexpr int mostThreads = 1024;
constexpr double manyTurns = 65536;
constexpr int fewTiles = 4;
// That work, for each multiprocessor. Measured on an H200 with forms picked by hand: where fewer
// were left, 16 tiles took longer than 4, and in one program longer than none.
constexpr double fewBlocks = 2, enoughBlocks = 8;

bool namesAny(const Stmt& code, const std::set<const VarDecl*>& variables) {
  return std::ranges::any_of(variablesIn(code),
                             [&](const VarDecl* each) { return variables.contains(each); });
}

/// What a front leaves that differs between blocks.
class Front {
public:
  Front(const Source& source, const std::vector<const Stmt*>& code) : source_(source) {
    for (std::size_t before = 1, now = 0; before != now;) {
      before = now;
      for (const Stmt* each : code)
        add(*each);
      now = variables_.size();
    }
  }

  /// It leaves no more than variables, and all blocks come to its end.
  bool isPlain() const { return isPlain_; }
  const std::set<const VarDecl*>& variables() const { return variables_; }

private:
  void add(const Stmt& code) {
    const Effects effects = effectsOf(code);
    const ThreadIndexUses uses = findItemIndex(code);
    const bool differs = !uses.names.empty() || !uses.calls.empty() || namesAny(code, variables_);
    if (effects.stores || !refuseWarpCommunication(source_, code) ||
        (differs && !findExits(code).returns.empty()))
      isPlain_ = false;
    if (!differs)
      return;
    variables_.insert(effects.declares.begin(), effects.declares.end());
    variables_.insert(effects.changes.begin(), effects.changes.end());
  }

  const Source& source_;
  bool isPlain_ = true;
  std::set<const VarDecl*> variables_;
};

} // namespace

Legal<int> threadsOfBlock(const Target& target) {
  const clang::FunctionDecl& function = *target.branch->function;
  if (!function.hasAttr<clang::CUDAGlobalAttr>())
    return refuse(common["not-in-kernel"], "the branch is in {}, and a kernel must hold it itself",
                  function.getNameAsString());
  const auto& block = target.measured.block;
  const int threads = std::accumulate(block.begin(), block.end(), 1, std::multiplies<>());
  if (threads == 0)
    return refuse(common["block-size-unknown"],
                  "the launches have blocks of different or unknown sizes");
  if (threads % warpSize != 0 || threads > mostThreads)
    return refuse(common["block-size"],
                  "blocks of {} threads are no whole number of warps, or more than {}", threads,
                  mostThreads);
  return threads;
}

Legal<void> checkLoopsAround(const Source& source, const std::vector<const Stmt*>& around,
                             const Target& target, int threads) {
  for (const Stmt* each : around) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(each);
    const bool isStrided = loop != nullptr && target.measured.block[0] == threads &&
                           findStridedLoop(*around.back(), *loop, threads).has_value();
    if (isLoop(*each) && !isStrided)
      return refuse(common["not-top-level"],
                    "the loop in line {} does not go over items in strides of the grid",
                    source.lineOf(each->getBeginLoc()));
  }
  return {};
}

double turnsOfLoop(const Source& source, const ItemCode& code, const Measured& measured) {
  if (code.loop == nullptr)
    return 0;
  const int line = source.lineOf(code.loop->getBeginLoc());
  for (const MeasuredLoop& loop : measured.loops)
    if (loop.lines.front() == line)
      return std::max(1.0, loop.trips);
  return manyTurns;
}

std::set<const Stmt*> takenFromFront(const ItemCode& code) {
  std::set<const Stmt*> taken;
  for (const Step& step : code.steps) {
    if (!step.isCopy)
      continue;
    const std::vector<const VarDecl*> declared = declaredIn(*step.statement);
    const std::set<const VarDecl*> own(declared.begin(), declared.end());
    if (std::ranges::none_of(code.front, [&](const Stmt* each) {
          return each != step.statement && !taken.contains(each) && namesAny(*each, own);
        }))
      taken.insert(step.statement);
  }
  return taken;
}

bool anyBlockMayDo(const Source& source, const ItemPlan& plan) {
  if (plan.code.loop == nullptr)
    return true;
  const Stmt* last = plan.code.kernel->body_back();
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(last))
    last = attributed->getSubStmt();
  const Front front(source, plan.code.front);
  return last == plan.code.loop && front.isPlain() && !namesAny(*plan.bound, front.variables()) &&
         std::ranges::none_of(plan.kept,
                              [&](const Stmt* each) { return namesAny(*each, front.variables()); });
}

bool mayHaveFewerBlocks(const ItemPlan& plan) {
  return std::ranges::none_of(plan.kept, [](const Stmt* each) { return asksForGrid(*each); }) &&
         std::ranges::none_of(plan.code.front, [&](const Stmt* each) {
           return !plan.taken.contains(each) && (asksForGrid(*each) || effectsOf(*each).stores);
         });
}

std::vector<int> tilesWorthTrying(const Measured& measured, double turns, bool anyBlock) {
  const auto isEnough = [&](int tiles, double blocks) {
    if (turns > tiles / 2.0) // of a loop, which the launch's blocks share
      return true;
    if (turns > 0 && !anyBlock)
      return false;
    const double items = measured.blocks * (turns > 0 ? turns : 1);
    return measured.blocks == 0 || measured.multiprocessors == 0 ||
           items >= blocks * tiles * measured.multiprocessors;
  };
  std::vector<int> found;
  if (isEnough(fewTiles, fewBlocks))
    found.push_back(fewTiles);
  for (const int tiles : {16, 8})
    if (isEnough(tiles, enoughBlocks)) {
      found.push_back(tiles);
      break;
    }
  return found;
}

} // namespace heddle::rewrite
