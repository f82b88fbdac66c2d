// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches/KernelParameter.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/launches/KernelLaunches.h"

#include <clang/AST/TypeLoc.h>

#include <algorithm>

namespace heddle::rewrite {

Legal<void> addParameter(const Source& source, const clang::FunctionDecl& kernel,
                         const std::string& parameter, Edits& edits) {
  const auto declarations = declarationsOf(source, kernel);
  if (!declarations)
    return tl::unexpected(declarations.error());
  for (const clang::FunctionDecl* each : *declarations) {
    const bool isPlain = std::ranges::none_of(each->parameters(), [](const auto* own) {
      return own->hasDefaultArg() || own->isParameterPack();
    });
    if (!isPlain || each->isVariadic())
      return refuse(common["unfit-parameters"],
                    "a parameter of {} has a default, or takes as many as there are",
                    kernel.getNameAsString());
    const clang::FunctionTypeLoc written = each->getFunctionTypeLoc();
    const auto end = written ? source.rangeOf(written.getRParenLoc()) : std::nullopt;
    if (!end)
      return refuse(common["macro-in-the-way"], "line {} has in a macro what must change",
                    source.lineOf(each->getLocation()));
    edits.insert(end->begin, (each->param_empty() ? "" : ", ") + parameter);
  }
  return {};
}

} // namespace heddle::rewrite
