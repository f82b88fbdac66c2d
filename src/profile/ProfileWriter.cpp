// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileWriter.h"

#include <algorithm>
#include <tuple>

namespace heddle::profile {

void ProfileWriter::lanes(const char* all, const char* taken,
                          const std::array<std::uint64_t, 2>& values) {
  json_[all] = values[0] + values[1];
  json_[taken] = values[0];
}

void ProfileWriter::lost(const char* name, const KernelProfile& kernel) {
  std::vector<const BranchProfile*> worst;
  for (const BranchProfile& branch : kernel.branches)
    if (branch.lostSlots > 0)
      worst.push_back(&branch);
  std::ranges::sort(worst, [](const BranchProfile* a, const BranchProfile* b) {
    return std::tie(b->lostSlots, a->site) < std::tie(a->lostSlots, b->site);
  });
  Json& list = json_[name] = Json::array();
  const auto add = [&list](const char* kind, const Json& site, std::uint64_t slots) {
    Json owner{{"kind", kind}};
    owner.update(site);
    owner["slots"] = slots;
    if (slots > 0)
      list.push_back(std::move(owner));
  };
  for (const BranchProfile* branch : worst)
    add("branch", object(branch->site), branch->lostSlots);
  add("finished", object(SourceLocation{}), kernel.lostToFinished);
  add("partial", object(SourceLocation{}), kernel.lostToPartial);
  add("sequences", object(SourceLocation{}), kernel.lostToSequences);
}

} // namespace heddle::profile
