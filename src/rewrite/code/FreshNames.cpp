// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/FreshNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heddle::rewrite {

FreshNames::FreshNames(const Source& source, const clang::FunctionDecl& function)
    : FreshNames(source.textOf(function.getSourceRange())) {}

FreshNames::FreshNames(const Source& source, const clang::Stmt& code)
    : FreshNames(source.textOf(code.getSourceRange())) {}

FreshNames::FreshNames(const std::string& text) {
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), isPart);
    at = std::find_if_not(begin, text.end(), isPart);
    words_.emplace(begin, at);
  }
}

std::string FreshNames::make(const std::string& wish) {
  std::string name = wish;
  for (int number = 2; !words_.insert(name).second; ++number)
    name = fmt::format("{}{}", wish, number);
  return name;
}

bool needsScope(const Placed& statement) {
  auto around = statement.around.begin();
  if (llvm::isa<clang::AttributedStmt>(*around)) // a pragma in front of it
    ++around;
  const bool inSwitch =
      around + 1 != statement.around.end() && llvm::isa<clang::SwitchStmt>(around[1]);
  return inSwitch || !llvm::isa<clang::CompoundStmt>(*around);
}

} // namespace heddle::rewrite
