// SPDX-License-Identifier: Apache-2.0
//
// A loop whose items each need the sum of those in front of them: integers only, whose sums have
// the same bits in any order.
//
//   sum += length[k];  end[k] = sum;                   inclusive
//   const int t = a[k];  a[k] = sum;  sum += t;        exclusive
//   offset[k] += offset[k - 1];                        of the element in front
//   if (v[k] > 0) list[n++] = v[k];                    how many have been chosen
//
//   heddle::spread_scan(0, n, sum, value of an item, what it does with the sum)
#pragma once

#include "rewrite/rows/RowCall.h"

namespace heddle::rewrite {

struct ScanLoop {
  SharedLoop shared;                   ///< without accumulators
  const clang::VarDecl* sum = nullptr; ///< nullptr: of the element in front
  std::string function;
  std::string start;        ///< the variable, or the element in front of the first item
  std::string type, name;   ///< of the sum, for what the item does
  std::string value, store; ///< lines without indentation
};

/// Refuses with: carried-over, and as findSharedLoop does.
Legal<ScanLoop> findScanLoop(const Source& source, const BranchStatement& branch, Rows rows);

/// `function`: "heddle::spread_scan" and the like are chosen by the loop.
std::string scanText(const Source& source, const ScanLoop& scan, const std::string& begin,
                     const std::string& end);

} // namespace heddle::rewrite
