// SPDX-License-Identifier: Apache-2.0
//
// Blocks that do the items of others, too: how many threads and tiles, and whether they may.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/items/ItemLegality.h"

#include <set>
#include <vector>

namespace heddle::rewrite {

/// Of a block: a whole number of warps.
/// Refuses with: not-in-kernel, block-size-unknown, block-size.
Legal<int> threadsOfBlock(const Target& target);

/// No loop around a statement, or one over items. Refuses with: not-top-level.
Legal<void> checkLoopsAround(const Source& source, const std::vector<const clang::Stmt*>& around,
                             const Target& target, int threads);

/// The turns of a loop over items; 0: there is none; very many: not known.
double turnsOfLoop(const Source& source, const ItemCode& code, const Measured& measured);

/// Declarations of the front that only what moves uses.
std::set<const clang::Stmt*> takenFromFront(const ItemCode& code);

/// Whether an item of a loop may go to another block: it uses nothing that differs between blocks,
/// and nothing in front of the loop or behind it can tell who did it.
bool anyBlockMayDo(const Source& source, const ItemPlan& plan);

/// Whether the kernel does the same in a launch of fewer blocks, whose items they take: what stays
/// in front and what moves do not ask how many there are, and the front leaves nothing in memory.
bool mayHaveFewerBlocks(const ItemPlan& plan);

/// The numbers of tiles that are worth a try: a few, and as many as leave enough blocks for all
/// multiprocessors. `turns`: of a loop over items; 0: there is none. `anyBlock`: its items may go
/// to other blocks.
std::vector<int> tilesWorthTrying(const Measured& measured, double turns, bool anyBlock);

} // namespace heddle::rewrite
