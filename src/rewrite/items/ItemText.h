// SPDX-License-Identifier: Apache-2.0
//
// The text of an item's functions, and what of the kernel and its launches goes with them.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/items/ItemLegality.h"
#include "rewrite/launches/FewerBlocks.h"

#include <string>
#include <vector>

namespace heddle::rewrite {

/// What an item's functions are called with: "int i", as the file has it.
std::string parametersOfItem(const Source& source, const ItemPlan& plan, const ItemCode& written);

/// "[&](int i) { body }", in one line where it is short.
std::string functionOfItem(const Source& source, const std::string& indent,
                           const std::string& parameters, std::string body);

/// Declarations that are taken from the front, out of the file.
Edits withoutTaken(const Source& source, const ItemPlan& plan, const ItemCode& written);

/// A launch of fewer blocks. Nothing where each block of the launch has work, or somebody could
/// tell how many there are. `turns`: of a loop over items.
std::optional<FewerBlocks> fewerBlocksFor(const Source& source, const clang::FunctionDecl& kernel,
                                          const std::vector<ItemPlan>& plans, double turns,
                                          bool anyBlock, int tiles);

} // namespace heddle::rewrite
