// SPDX-License-Identifier: Apache-2.0
#include "model/Policy.h"

#include "support/NearestName.h"

namespace heddle::model {
namespace {

constexpr PolicyInfo policies[] = {
    {Policy::Native, "native", "every path that some lane takes, in every iteration"},
    {Policy::Alternating, "alternating",
     "the paths in turn; one that no lane wants gives way to the next"},
    {Policy::Fixed, "fixed", "a word, repeated; a path that no lane wants gives way likewise"},
    {Policy::Frequency, "frequency", "the path most live lanes want"},
    {Policy::Laggard, "laggard", "the path most of the least advanced lanes want"},
    {Policy::Aging, "aging", "each path ages by the lanes that want it; the oldest runs"},
    {Policy::CostAging, "cost-aging", "aging, with the age divided by the path's cost"},
};

} // namespace

std::span<const PolicyInfo> allPolicies() {
  return policies;
}

std::string_view policyName(Policy policy) {
  return policies[static_cast<int>(policy)].name;
}

Expected<Policy> parsePolicy(std::string_view name) {
  std::vector<std::string> known;
  std::string list;
  for (const PolicyInfo& info : policies) {
    if (info.name == name)
      return info.policy;
    known.emplace_back(info.name);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  return fail(ErrorKind::NotFound, "unknown policy '{}'{} (known: {})", name,
              didYouMean(name, known), list);
}

} // namespace heddle::model
