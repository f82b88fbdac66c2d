// SPDX-License-Identifier: Apache-2.0
#include "rewrite/compact/Needs.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Flow.h"

#include <algorithm>

namespace heddle::rewrite::compact {
namespace {

using clang::VarDecl;

/// A declaration of a type, which may be needed without being named.
bool declaresType(const Step& step) {
  const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(step.statement);
  return declares != nullptr && llvm::any_of(declares->decls(), [](const clang::Decl* each) {
           return !llvm::isa<VarDecl>(each);
         });
}

class Slicer {
public:
  Slicer(const Guard& guard, const VarDecl* given) : guard_(guard) {
    for (const Step& step : guard.steps) {
      const Effects effects = effectsOf(step.code());
      std::set<const VarDecl*> sets = effects.changes;
      sets.insert(effects.declares.begin(), effects.declares.end());
      sets_.push_back(effects.declares.contains(given) ? std::set<const VarDecl*>{} : sets);
      stores_.push_back(effects.stores);
    }
  }

  /// What must run whatever its results are for.
  bool isRoot(std::size_t i) const {
    const Step& step = guard_.steps[i];
    if (step.enters != nullptr || stores_[i])
      return true;
    const Exits exits = findExits(*step.statement);
    return !exits.returns.empty() || !exits.continues.empty();
  }

  /// The roots, and what sets the variables that they and the code use.
  std::set<std::size_t> slice(std::set<std::size_t> roots,
                              const std::vector<const clang::Stmt*>& code) const {
    std::set<const VarDecl*> used;
    const auto use = [&](const clang::Stmt& statement) {
      for (const VarDecl* variable : variablesIn(statement))
        used.insert(variable);
    };
    for (const clang::Stmt* each : code)
      use(*each);
    for (const std::size_t root : roots)
      use(guard_.steps[root].code());
    for (std::size_t before = 0, now = 1; before != now; now = roots.size()) {
      before = roots.size();
      for (std::size_t i = sets_.size(); i-- > 0;)
        if (!roots.contains(i) &&
            (declaresType(guard_.steps[i]) ||
             std::ranges::any_of(sets_[i], [&](auto* each) { return used.contains(each); }))) {
          roots.insert(i);
          use(guard_.steps[i].code());
        }
    }
    return roots;
  }

private:
  const Guard& guard_;
  std::vector<std::set<const VarDecl*>> sets_;
  std::vector<bool> stores_;
};

} // namespace

Needs findNeeds(const Guard& guard, std::size_t worker, const VarDecl* given) {
  const Slicer slicer(guard, given);
  std::set<std::size_t> roots;
  for (std::size_t i = 0; i < guard.steps.size(); ++i)
    if (slicer.isRoot(i))
      roots.insert(i);
  std::vector<const clang::Stmt*> tested;
  for (std::size_t i = 0; i < guard.ways.size(); ++i) {
    if (guard.ways[i].condition != nullptr)
      tested.push_back(guard.ways[i].condition);
    if (i == worker)
      continue;
    const std::vector<const clang::Stmt*> code = guard.codeOf(guard.ways[i]);
    tested.insert(tested.end(), code.begin(), code.end());
  }
  return {slicer.slice(roots, tested), slicer.slice({}, guard.codeOf(guard.ways[worker]))};
}

} // namespace heddle::rewrite::compact
