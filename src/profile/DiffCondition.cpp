// SPDX-License-Identifier: Apache-2.0
#include "profile/DiffCondition.h"

#include "support/NearestName.h"
#include "support/Parse.h"

#include <limits>

namespace heddle::profile {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

std::vector<std::string> metricNames() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < metricCount; ++i)
    names.emplace_back(infoOf(Metric(i)).name);
  return names;
}

} // namespace

Expected<DiffCondition> parseDiffCondition(std::string_view text) {
  DiffCondition condition{.text = std::string(text)};
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos)
    return fail(ErrorKind::BadInput,
                "'{}' is no condition: expected a metric, < or >, and a change such as "
                "'efficiency<-2%'",
                text);
  const std::string_view name = trimmed(text.substr(0, sign));
  const std::optional<Metric> metric = metricNamed(name);
  if (!metric)
    return fail(ErrorKind::BadInput, "'{}' is not one of {}{}", name,
                fmt::join(metricNames(), ", "), didYouMean(name, metricNames()));
  condition.metric = *metric;
  condition.isAbove = text[sign] == '>';
  std::string_view bound = trimmed(text.substr(sign + 1));
  condition.isPercent = bound.ends_with('%');
  if (condition.isPercent)
    bound = trimmed(bound.substr(0, bound.size() - 1));
  if (bound.starts_with('+'))
    bound.remove_prefix(1);
  HEDDLE_TRY(condition.bound, parseNumber(bound));
  return condition;
}

std::optional<double> DiffCondition::changeIn(const KernelPair& pair) const {
  if (!pair.isInBoth())
    return std::nullopt;
  const auto before = valueOf(*pair.before, metric), after = valueOf(*pair.after, metric);
  if (!before || !after)
    return std::nullopt;
  const double change = *after - *before;
  if (!isPercent || change == 0)
    return change;
  if (infoOf(metric).isShare)
    return 100 * change;
  return *before == 0 ? std::numeric_limits<double>::infinity() : 100 * change / *before;
}

bool DiffCondition::holdsFor(const KernelPair& pair) const {
  const std::optional<double> change = changeIn(pair);
  return change && (isAbove ? *change > bound : *change < bound);
}

std::vector<HeldCondition> heldConditions(const std::vector<DiffCondition>& conditions,
                                          const std::vector<KernelPair>& pairs) {
  std::vector<HeldCondition> held;
  for (const DiffCondition& condition : conditions)
    for (const KernelPair& pair : pairs)
      if (condition.holdsFor(pair))
        held.push_back({&condition, &pair, *condition.changeIn(pair)});
  return held;
}

} // namespace heddle::profile
