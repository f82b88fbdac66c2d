// SPDX-License-Identifier: Apache-2.0
//
// Names for what a rewrite declares.
#pragma once

#include "rewrite/code/Branches.h"

#include <set>
#include <string>

namespace heddle::rewrite {

class FreshNames {
public:
  FreshNames(const Source& source, const clang::FunctionDecl& function);
  FreshNames(const Source& source, const clang::Stmt& code);

  /// The name, with a number where the function uses it already.
  std::string make(const std::string& wish);

private:
  explicit FreshNames(const std::string& text);

  std::set<std::string> words_; ///< all that the function uses
};

/// Whether a declaration in the place of the statement needs braces around it.
bool needsScope(const Placed& statement);

} // namespace heddle::rewrite
