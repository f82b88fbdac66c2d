// SPDX-License-Identifier: Apache-2.0
#include "engine/KernelSites.h"

#include "analysis/AddressedVariable.h"
#include "analysis/SourceSite.h"
#include "engine/AddressGroups.h"

namespace heddle::engine {

unsigned KernelSites::add(const llvm::Instruction& instruction) {
  faults.push_back({.site = analysis::siteOf(instruction),
                    .isSum = isSum(instruction),
                    .isLaterSum = isLaterSum(instruction)});
  return unsigned(faults.size() - 1);
}

unsigned KernelSites::addAccess(const llvm::Instruction& instruction, const llvm::Value& pointer,
                                profile::AccessKind kind, profile::MemorySpace space,
                                unsigned bytes) {
  const auto [known, isNew] = accesses.try_emplace(&instruction, int(faults.size()));
  if (!isNew)
    return unsigned(known->second);
  faults.push_back({analysis::siteOf(instruction), true, kind, space, int(bytes),
                    isSum(instruction), isLaterSum(instruction)});
  if (const llvm::GlobalVariable* variable = analysis::variableAddressedBy(pointer))
    faults.back().variable = variable->getName();
  return unsigned(faults.size() - 1);
}

} // namespace heddle::engine
