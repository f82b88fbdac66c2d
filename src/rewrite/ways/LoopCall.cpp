// SPDX-License-Identifier: Apache-2.0
#include "rewrite/ways/LoopCall.h"

#include "rewrite/code/Indentation.h"

namespace heddle::rewrite {

std::string loopCall(const Source& source, const WayLoop& loop, const std::string& call,
                     const std::string& first, const std::string& opening) {
  const std::string& unit = source.indentUnit();
  const std::string outer = source.indentAt(loop.range.begin);
  const std::string indent = loop.needsBraces ? outer + unit : outer;
  const std::string argument = indent + unit + unit;
  std::string text = loop.needsBraces ? "{\n" : "";
  const auto begin = [&](const std::string& lines) {
    const bool atStart = text.empty();
    const std::string all = indented(lines, indent);
    text += atStart ? all.substr(indent.size()) : all;
    text += "\n";
  };
  for (const std::string& line : loop.setUp)
    begin(line);
  const auto lambda = [&](const std::string& body) {
    if (body.empty())
      return argument + opening + "}";
    return argument + opening + "\n" + indented(body, argument + unit) + "\n" + argument + "}";
  };
  std::string arguments = first.empty() ? "" : argument + first + ",\n";
  arguments += lambda(loop.next);
  for (const std::string& way : loop.ways)
    arguments += ",\n" + lambda(way);
  if (!loop.after.empty())
    arguments += ",\n" + lambda(loop.after);
  text += (text.empty() ? "" : indent) + call + "(\n" + arguments + ");";
  if (!loop.leaving.empty())
    text += "\n" + indented(loop.leaving, indent);
  if (loop.needsBraces)
    text += "\n" + outer + "}";
  return text;
}

} // namespace heddle::rewrite
