// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Pragmas.h"

#include <clang/AST/Attr.h>

#include <algorithm>

namespace heddle::rewrite {

std::vector<Range> pragmaLines(const Source& source, const Placed& loop) {
  const auto* attributed =
      loop.around.empty() ? nullptr : llvm::dyn_cast<clang::AttributedStmt>(loop.around.front());
  std::vector<Range> lines;
  if (attributed == nullptr)
    return lines;
  for (const clang::Attr* attribute : attributed->getAttrs())
    if (const auto word = source.rangeOf(attribute->getRange())) {
      const std::size_t end = source.text().find('\n', word->begin);
      lines.push_back({source.lineBegin(word->begin), std::min(end, source.text().size() - 1) + 1});
    }
  std::ranges::sort(lines);
  return lines;
}

} // namespace heddle::rewrite
