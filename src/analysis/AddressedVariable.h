// SPDX-License-Identifier: Apache-2.0
//
// The variable that an address is computed from, as far as its computation tells:
//
//   table[i + 3]                     table
//   first ? table[i] : table[j]      table
//   (first ? table : other)[i]       not known: one of two
//   table + (other - table)          not known: it may well be in the other
//
// What an access of such an address touches outside its variable is somebody else's, whatever lies
// there. Addresses may be computed as pointers, as clang does, or as numbers, as in PTX.
#pragma once

#include <llvm/IR/GlobalVariable.h>

namespace heddle::analysis {

/// Nullptr where it is not known.
const llvm::GlobalVariable* variableAddressedBy(const llvm::Value& address);

} // namespace heddle::analysis
