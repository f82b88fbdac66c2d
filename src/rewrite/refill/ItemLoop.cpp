// SPDX-License-Identifier: Apache-2.0
#include "rewrite/refill/ItemLoop.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/items/ItemBlocks.h"
#include "rewrite/refill/Refusals.h"

#include <algorithm>
#include <map>

namespace heddle::rewrite::refill {
namespace {

using clang::Stmt;
using clang::VarDecl;

/// Whether a step may be left out where nobody uses what it declares.
bool onlyDeclares(const Stmt& step) {
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&step);
  return declares != nullptr && effectsOf(step).pure() &&
         llvm::all_of(declares->decls(),
                      [](const clang::Decl* each) { return llvm::isa<VarDecl>(each); });
}

/// In the statement's own block, not in blocks inside it.
void addDeclared(const Stmt* statement, std::vector<const VarDecl*>& to) {
  if (const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(statement))
    for (const clang::Decl* each : declares->decls())
      if (const auto* variable = llvm::dyn_cast<VarDecl>(each))
        to.push_back(variable);
}

void addDeclaredInBlock(const Stmt& body, std::vector<const VarDecl*>& to) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&body))
    for (const Stmt* each : block->body())
      addDeclared(each, to);
}

Legal<void> refuseSameNames(const Source& source, const std::vector<const VarDecl*>& variables) {
  std::map<llvm::StringRef, const VarDecl*> known;
  for (const VarDecl* variable : variables) {
    const auto [found, isNew] = known.emplace(variable->getName(), variable);
    if (!isNew && found->second != variable)
      return refuse(refusals["names-twice"], "line {} and line {} both declare {}",
                    source.lineOf(found->second->getLocation()),
                    source.lineOf(variable->getLocation()), variable->getNameAsString());
  }
  return {};
}

/// A `continue` becomes the loop's step and condition, which must mean the same there.
Legal<void> refuseHiddenNames(const Source& source, const LoopHeader& header) {
  std::vector<const VarDecl*> named;
  for (const clang::Expr* part : {header.condition, header.step})
    if (part != nullptr)
      for (const VarDecl* variable : variablesIn(*part))
        named.push_back(variable);
  for (const VarDecl* variable : named)
    for (const VarDecl* inner : declaredIn(*header.body))
      if (auto checked = refuseSameNames(source, {variable, inner}); !checked)
        return checked;
  return {};
}

} // namespace

bool ItemLoop::changesNumber() const {
  return std::ranges::any_of(
      kept(), [&](const Stmt* code) { return effectsOf(*code).changes.contains(number); });
}

std::vector<const Stmt*> ItemLoop::kept() const {
  std::vector<const Stmt*> kept;
  for (const std::size_t i : needed)
    kept.push_back(&code.steps[i].code());
  kept.push_back(core);
  kept.insert(kept.end(), code.behind.begin(), code.behind.end());
  return kept;
}

ItemPlan ItemLoop::items() const {
  std::vector<const Stmt*> moved;
  for (const Step& step : code.steps)
    moved.push_back(&step.code());
  moved.push_back(core);
  moved.insert(moved.end(), code.behind.begin(), code.behind.end());
  return {code, moved, kept(), number, bound, takenFromFront(code), travels};
}

void ItemLoop::findNeeded() {
  std::set<const VarDecl*> used;
  const auto use = [&](const Stmt& statement) {
    for (const VarDecl* variable : variablesIn(statement))
      if (variable != number)
        used.insert(variable);
  };
  use(*core);
  for (const Stmt* each : code.behind)
    use(*each);
  needed.clear();
  for (std::size_t i = code.steps.size(); i-- > 0;) {
    const Stmt& step = code.steps[i].code();
    const std::vector<const VarDecl*> declared = declaredIn(step);
    if (onlyDeclares(step) &&
        std::ranges::none_of(declared, [&](auto* each) { return used.contains(each); }))
      continue;
    needed.insert(i);
    use(step);
  }
}

Legal<BranchStatement> loopOf(const BranchStatement& branch) {
  if (isLoop(*branch.statement))
    return branch;
  const Exits exits = findExits(*branch.statement);
  if (branch.loop() == nullptr || (exits.breaks.empty() && exits.returns.empty()))
    return refuse(refusals["no-loop-of-item"], "the branch is no loop, and leaves none");
  BranchStatement loop{loopAround(branch), branch.function, {}};
  for (const Placed& instance : branch.instances)
    loop.instances.push_back(loopAround(instance));
  return loop;
}

Legal<ItemLoop> cutItemLoop(const Source& source, const Placed& loop) {
  ItemLoop result;
  result.loop = result.core = loop.statement;
  auto around = loop.around.begin();
  if (around != loop.around.end() && llvm::isa<clang::AttributedStmt>(*around))
    result.core = *around++;
  auto code = cutItem(source, *result.core, {around, loop.around.end()});
  if (!code)
    return tl::unexpected(code.error());
  result.code = std::move(*code);
  result.header = headerOf(*loop.statement);
  return result;
}

Legal<void> checkItemLoop(const Source& source, const ItemLoop& loop,
                          const clang::FunctionDecl& kernel) {
  if (auto checked = checkItems(source, loop.items()); !checked)
    return checked;
  if (!anyBlockMayDo(source, loop.items()))
    return refuse(refusals["value-of-block"],
                  "what stands around the loop in line {} is the block's own, and other blocks "
                  "would take items of it",
                  source.lineOf(loop.code.loop->getBeginLoc()));
  if (loop.bound != nullptr && !effectsOf(*loop.bound).pure())
    return refuse(refusals["side-effects-before"], "the bound in line {} changes something",
                  source.lineOf(loop.bound->getBeginLoc()));
  // All that will stand side by side: parameters, what setup declares, and the blocks of the parts.
  std::vector<const VarDecl*> outer(kernel.param_begin(), kernel.param_end());
  for (const Stmt* each : loop.code.front)
    addDeclared(each, outer);
  if (loop.number != nullptr)
    outer.push_back(loop.number);
  for (const std::size_t i : loop.needed)
    addDeclared(loop.code.steps[i].statement, outer);
  addDeclared(loop.header.init, outer);
  std::vector<const VarDecl*> turn = outer, finish = outer;
  addDeclaredInBlock(*loop.header.body, turn);
  for (const Stmt* each : loop.code.behind)
    addDeclared(each, finish);
  if (auto checked = refuseSameNames(source, turn); !checked)
    return checked;
  if (auto checked = refuseHiddenNames(source, loop.header); !checked)
    return checked;
  return refuseSameNames(source, finish);
}

} // namespace heddle::rewrite::refill
