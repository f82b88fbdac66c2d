// SPDX-License-Identifier: Apache-2.0
//
// Variables of a thread that the items of its row read: another lane must get them. What is the
// same for all threads of the block need not travel.
#pragma once

#include "rewrite/rows/RowBody.h"

#include <clang/AST/Decl.h>

namespace heddle::rewrite {

/// In the order of the text.
/// Refuses with: own-value-unfit.
Legal<std::vector<const clang::VarDecl*>> findOwnValues(const Source& source,
                                                        const BranchStatement& branch,
                                                        const RowLoop& loop, const RowBody& body);

} // namespace heddle::rewrite
