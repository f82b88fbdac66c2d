// SPDX-License-Identifier: Apache-2.0
//
// A loop over items as a call of the device library:
//
//   for (int k = start[r]; k < start[r + 1]; ++k)
//     sum += value[k] * x[column[k]];
//
//   heddle::share_rows<8>(start[r], start[r + 1], heddle::sum(sum), [&](int k, float& sum) {
//     sum += value[k] * x[column[k]];
//   });
#pragma once

#include "rewrite/rows/RowBody.h"

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace heddle::rewrite {

/// All that is known of a loop whose items may be shared.
struct SharedLoop {
  BranchStatement placed;
  RowLoop loop;
  RowBody body;
  std::vector<const clang::VarDecl*> own;
};

/// The loop that a branch is or breaks out of; in a template the same in every instance.
/// Refuses with: no-row-loop, macro-in-the-way, and as readRowLoop, readRowBody and findOwnValues
/// do.
/// `rows`: of warps where lanes of one warp alone share the items.
Legal<SharedLoop> findSharedLoop(const Source& source, const BranchStatement& branch,
                                 Rows rows = Rows::Any);

/// `function`: "heddle::share_rows", `arguments`: its template's, but for the step.
std::string callText(const Source& source, const SharedLoop& shared, const std::string& function,
                     const std::string& arguments);

/// A variable's type as it was declared, without its own const.
std::string typeText(const Source& source, const clang::VarDecl& variable);
/// Of the lambda, for a value of the row's owner.
std::string ownParameter(const Source& source, const clang::VarDecl& variable);

/// The call in the place of the loop, with the include.
Edits callEdits(const Source& source, const SharedLoop& shared, const std::string& text);

} // namespace heddle::rewrite
