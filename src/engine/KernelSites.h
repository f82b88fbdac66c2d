// SPDX-License-Identifier: Apache-2.0
//
// The places of a kernel's source that a run speaks of: instructions that touch memory or may stop
// the run, branches, loops.
#pragma once

#include "profile/KernelProfile.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine {

/// The symbol of the handle that stands for a device function where its address is taken.
inline std::string functionHandleSymbol(llvm::StringRef function) {
  return "heddle.function." + function.str();
}

/// An instruction that may stop the run; one that touches memory also counts.
struct FaultSite {
  profile::Site site;
  bool isAccess = false;
  profile::AccessKind kind = profile::AccessKind::Load;
  profile::MemorySpace space = profile::MemorySpace::Global;
  int bytesPerLane = 0;
  bool isSum = false;      ///< AddressGroups.h
  bool isLaterSum = false; ///< AddressGroups.h
  bool isFloat = false;    ///< an atomic on floats
  bool isTogether = false; ///< an atomic whose lanes ptxas lets act as one: REDUX
  std::string variable;    ///< that the address is computed from, as in the IR; empty: not known
  std::uint64_t variableBegin = 0, variableSize = 0; ///< where it lies; no size: not known
};

struct KernelSites {
  std::vector<FaultSite> faults;                          ///< compiled code knows them by number
  llvm::DenseMap<const llvm::Instruction*, int> accesses; ///< the numbers of memory instructions

  unsigned add(const llvm::Instruction& instruction);
  /// The number it has, if it was added before: a block has several forms.
  unsigned addAccess(const llvm::Instruction& instruction, const llvm::Value& pointer,
                     profile::AccessKind kind, profile::MemorySpace space, unsigned bytes);
};

} // namespace heddle::engine
