// SPDX-License-Identifier: Apache-2.0
//
// Compilers fuse a product with a sum that uses it where both stand in a row, which rounds once
// instead of twice. Parts that come together, or apart, must not have such pairs between them.
//
//   t = a * b;       ==>     if (first)        fused before, not fused behind: t comes from
//   x = t + c;                 t = a * b;      two places
//                            else
//                              t = d;
//                            x = t + c;
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"
#include "rewrite/meld/Arms.h"

namespace heddle::rewrite::meld {

/// Refuses with: fuses-otherwise.
Legal<void> refuseFusing(const Source& source, const Arms& arms, const BranchStatement& branch);

} // namespace heddle::rewrite::meld
