// SPDX-License-Identifier: Apache-2.0
#include "rewrite/items/ItemText.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/items/ItemBlocks.h"

#include <algorithm>

namespace heddle::rewrite {
namespace {

constexpr std::size_t lineWidth = 100;
constexpr double fewTurns = 1.5; // of a loop over items: a thread has hardly more than one

} // namespace

std::string parametersOfItem(const Source& source, const ItemPlan& plan, const ItemCode& written) {
  if (plan.travels == Travels::ByCoordinates)
    return "uint3 blockIdx, uint3 threadIdx";
  for (const clang::VarDecl* each : declaredIn(*written.kernel))
    if (each->getLocation() == plan.number->getLocation())
      return declarationOf(source, *each);
  return declarationOf(source, *plan.number);
}

std::string functionOfItem(const Source& source, const std::string& indent,
                           const std::string& parameters, std::string body) {
  body.erase(body.find_last_not_of('\n') + 1);
  if (body.empty())
    return fmt::format("{}[&]({}) {{}}", indent, parameters);
  const std::string line = fmt::format("{}[&]({}) {{ {} }}", indent, parameters, body);
  const bool isShort = body.find('\n') == std::string::npos && line.size() < lineWidth &&
                       body.find("//") == std::string::npos;
  return isShort ? line
                 : fmt::format("{}[&]({}) {{\n{}\n{}}}", indent, parameters,
                               indented(body, indent + source.indentUnit()), indent);
}

Edits withoutTaken(const Source& source, const ItemPlan& plan, const ItemCode& written) {
  Edits edits;
  for (std::size_t i = 0; i < plan.code.front.size(); ++i)
    if (plan.taken.contains(plan.code.front[i]))
      if (const auto range = source.rangeOf(*written.front[i]))
        edits.remove(wholeLine(source, *range));
  return edits;
}

std::optional<FewerBlocks> fewerBlocksFor(const Source& source, const clang::FunctionDecl& kernel,
                                          const std::vector<ItemPlan>& plans, double turns,
                                          bool anyBlock, int tiles) {
  const Travels travels = plans.front().travels;
  const bool mayLeaveSome = travels != Travels::InLoop || (anyBlock && turns < fewTurns);
  if (!mayLeaveSome || !std::ranges::all_of(plans, mayHaveFewerBlocks))
    return std::nullopt;
  const Told told = travels == Travels::InLoop     ? Told::Nothing
                    : travels == Travels::ByNumber ? Told::Along
                                                   : Told::Shape;
  return fewerBlocks(source, kernel, tiles, told);
}

} // namespace heddle::rewrite
