// SPDX-License-Identifier: Apache-2.0
//
// The text that takes the place of a branch whose arms are melded.
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/meld/Arms.h"
#include "rewrite/meld/Locals.h"

namespace heddle::rewrite::meld {

/// Refuses with: macro-in-the-way, unhoistable-declaration.
Legal<Edits> meldText(const Source& source, const BranchStatement& branch, const Arms& arms,
                      Locals locals);

} // namespace heddle::rewrite::meld
