// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/OwnVariables.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace heddle::rewrite::reshape {
namespace {

class Names final : public TreeVisitor {
public:
  explicit Names(const clang::VarDecl& variable) : variable_(variable) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == &variable_)
      found.push_back(name);
    return true;
  }
  std::vector<const clang::DeclRefExpr*> found;

private:
  const clang::VarDecl& variable_;
};

std::size_t countWord(std::string_view text, const std::string& word) {
  const auto isPart = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size()))
    count += (at == 0 || !isPart(at - 1)) && !isPart(at + word.size());
  return count;
}

/// Whether a variable is named only there.
bool isOnlyIn(const Source& source, const clang::VarDecl& variable,
              const std::vector<Range>& places) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  if (function == nullptr || !function->hasBody())
    return false;
  Names names(variable);
  names.TraverseStmt(function->getBody());
  // The preprocessor may hide more of them. A remark that names it counts, too, which does no harm.
  const std::string text = source.textOf(function->getSourceRange());
  if (countWord(text, variable.getNameAsString()) != names.found.size() + 1)
    return false;
  return std::ranges::all_of(names.found, [&](const clang::DeclRefExpr* name) {
    const auto at = source.rangeOf(name->getSourceRange());
    return at && std::ranges::any_of(places, [&](Range place) { return place.contains(*at); });
  });
}

/// The variable that a grid or block is; nullptr: it is none that keeps its value.
const clang::VarDecl* named(const HostValues& values, const clang::Expr& written) {
  const clang::Expr* bare = &withoutCopies(written);
  const auto* object = llvm::dyn_cast<clang::CXXConstructExpr>(bare); // a number becomes a dim3
  if (object != nullptr && object->getNumArgs() == 3 &&
      llvm::isa<clang::CXXDefaultArgExpr>(object->getArg(1)))
    bare = object->getArg(0);
  return values.settled(*bare);
}

} // namespace

OwnVariables findOwnVariables(const Source& source, const HostValues& values,
                              const std::vector<LaunchShape>& shapes, const LaunchShape& shape) {
  std::vector<Range> grids, blocks;
  for (const LaunchShape& each : shapes) {
    grids.push_back(each.gridRange);
    blocks.push_back(each.blockRange);
  }
  OwnVariables own;
  own.grid = named(values, *shape.gridText);
  if (own.grid != nullptr && !isOnlyIn(source, *own.grid, grids))
    own.grid = nullptr;
  std::ranges::copy(grids, std::back_inserter(blocks));
  if (own.grid != nullptr)
    if (const auto initial = source.rangeOf(own.grid->getInit()->getSourceRange()))
      blocks.push_back(*initial);
  own.block = named(values, *shape.call->getConfig()->getArg(1));
  if (own.block != nullptr && !isOnlyIn(source, *own.block, blocks))
    own.block = nullptr;
  return own;
}

} // namespace heddle::rewrite::reshape
