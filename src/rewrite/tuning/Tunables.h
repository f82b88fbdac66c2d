// SPDX-License-Identifier: Apache-2.0
//
// What of a kernel's source can be set to one value or another without a change of its results: how
// often a loop is unrolled, the policy of a scheduled loop, when a regrouped loop regroups, and for
// how many blocks the compiler leaves registers.
//
//   for (...)                           ==>   _Pragma("unroll 4") for (...)
//   scheduled_loop<heddle::aging, 2>    ==>   scheduled_loop<heddle::word<0, 1>, 2>
//   regroup_when::mixed                 ==>   heddle::regroup_when::always
//   __global__ void k(...)              ==>   __global__ void __launch_bounds__(128, 8) k(...)
//
// No line moves, so that a setting is known by its line.
#pragma once

#include "rewrite/code/Source.h"
#include "rewrite/tuning/FreeBlock.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::rewrite::tuning {

enum class TunableKind { Unroll, Policy, Regroup };

struct Tunable {
  TunableKind kind = TunableKind::Unroll;
  int line = 0;
  std::string own;                 ///< the value as it is; empty: none is written
  std::vector<std::string> others; ///< worth trying
  int ways = 0;                    ///< of a scheduled loop
  Range place;                     ///< what is replaced; empty: where it is inserted
  std::string before, after;       ///< around the value

  /// "unroll:12"
  std::string name() const;
};

struct KernelTunables {
  Legal<FreeBlock> block;
  bool hasBounds = false;              ///< __launch_bounds__ of its own
  std::optional<std::size_t> boundsAt; ///< where they would stand; nothing: in a macro
  std::vector<Tunable> tunables;       ///< by line
};

KernelTunables findTunables(const Source& source, const clang::FunctionDecl& kernel);

/// Values by the names of tunables; names that are not there stay as they are. `bounds` is what
/// stands in the brackets, "128, 8"; empty: none.
Edits tunedEdits(const KernelTunables& kernel, const std::map<std::string, std::string>& values,
                 const std::string& bounds);

} // namespace heddle::rewrite::tuning
