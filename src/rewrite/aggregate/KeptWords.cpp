// SPDX-License-Identifier: Apache-2.0
//
//   1. The atomics of the kernel by the memory that they change.
//   2. The kernel names that memory for nothing else.
//   3. All changes of a word are of one kind: sums, or minima, and so on.
#include "rewrite/aggregate/KeptWords.h"

#include "rewrite/aggregate/Atomics.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/Modified.h"

#include <algorithm>
#include <map>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;

constexpr std::size_t mostTotals = 8; ///< registers of each thread

/// How often code names a variable, and a member of a variable that is a record.
class Names final : public CallFollower {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      ++count[{variable, nullptr}];
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    const auto* variable =
        name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (variable != nullptr && field != nullptr && !member->isArrow())
      ++count[{variable, field}];
    return true;
  }

  /// A record that is named as a whole may be read as a whole.
  bool namesOnlyMembers(const clang::VarDecl* variable) const {
    std::size_t members = 0;
    for (const auto& [memory, times] : count)
      if (memory.variable == variable && memory.member != nullptr)
        members += times;
    return members == count.at({variable, nullptr});
  }

  std::map<Memory, std::size_t> count;
};

/// Sums may be taken away from, too. The largest of numbers with a sign is another than without.
std::string kindOf(const CallExpr& call) {
  const std::string name = aggregatedName(call);
  return (name == "aggregate_sub" ? "aggregate_add" : name) + " of " +
         call.getArg(0)->getType().getCanonicalType().getAsString();
}

/// Step 2.
bool isNamedOtherwise(const clang::FunctionDecl& kernel, const Names& names,
                      const std::map<Memory, std::size_t>& changes, const KeptWords& words) {
  const Memory& root = words.changes.front().address.root;
  if (names.count.at(root) != changes.at(root))
    return true;
  if (root.member != nullptr && !names.namesOnlyMembers(root.variable))
    return true;
  // What a template calls is not known before there is an instance.
  return root.variable->hasGlobalStorage() && kernel.isTemplated();
}

/// Step 3.
bool isOfOneKind(const KeptWords& words) {
  const bool areExact =
      std::ranges::all_of(words.changes, [](const Change& each) { return each.address.isExact; });
  std::map<std::string, std::string> kinds;
  return std::ranges::all_of(words.changes, [&](const Change& each) {
    const std::string kind = kindOf(*each.call);
    return kinds.emplace(areExact ? each.address.path : "", kind).first->second == kind;
  });
}

/// The text of an array, which all changes of a tally have in common.
bool isTally(const Source& source, const KeptWords& words) {
  const auto arrayOf = [&](const Change& each) {
    return source.textOf(each.address.words->getSourceRange());
  };
  return std::ranges::all_of(words.changes, [&](const Change& each) {
    return each.address.words != nullptr && aggregatedName(*each.call) == "aggregate_add" &&
           arrayOf(each) == arrayOf(words.changes.front());
  });
}

bool areTotals(const KeptWords& words) {
  std::set<std::string> paths;
  for (const Change& each : words.changes) {
    if (!each.address.isFixed)
      return false;
    paths.insert(each.address.path + aggregatedName(*each.call));
  }
  return paths.size() <= mostTotals;
}

} // namespace

std::vector<const clang::FunctionDecl*> instancesOf(const clang::FunctionDecl& kernel) {
  const clang::FunctionTemplateDecl* pattern = kernel.getDescribedFunctionTemplate();
  if (pattern == nullptr)
    return {&kernel};
  std::vector<const clang::FunctionDecl*> instances;
  for (const clang::FunctionDecl* each : pattern->specializations())
    if (each->hasBody())
      instances.push_back(each->getDefinition());
  return instances;
}

std::set<const clang::VarDecl*> modifiedParameters(const clang::FunctionDecl& kernel) {
  std::set<const clang::VarDecl*> parameters;
  for (const clang::FunctionDecl* each : instancesOf(kernel)) {
    const std::set<const clang::VarDecl*> modified = modifiedIn(*each->getBody());
    for (unsigned i = 0; i < kernel.getNumParams() && i < each->getNumParams(); ++i)
      if (modified.contains(each->getParamDecl(i)))
        parameters.insert(kernel.getParamDecl(i));
  }
  return parameters;
}

std::vector<KeptWords> findKeptWords(const Source& source, const clang::FunctionDecl& kernel,
                                     const std::vector<const CallExpr*>& atomics) {
  // Step 1.
  const std::set<const clang::VarDecl*> modified = modifiedParameters(kernel);
  std::vector<KeptWords> all;
  std::map<Memory, std::size_t> changes;
  for (const CallExpr* call : atomics) {
    AtomicAddress address = addressOf(source, *call, modified);
    if (address.root.variable == nullptr)
      continue;
    ++changes[address.root];
    auto found = std::ranges::find_if(all, [&](const KeptWords& each) {
      const AtomicAddress& first = each.changes.front().address;
      return first.root == address.root && first.fields == address.fields;
    });
    if (found == all.end())
      found = all.insert(all.end(), KeptWords{});
    found->changes.push_back({call, std::move(address)});
  }
  Names names;
  names.TraverseStmt(kernel.getBody());
  std::erase_if(all, [&](KeptWords& each) {
    each.isFixed = areTotals(each);
    return isNamedOtherwise(kernel, names, changes, each) || !isOfOneKind(each) ||
           (!each.isFixed && !isTally(source, each));
  });
  return all;
}

} // namespace heddle::rewrite::aggregate
