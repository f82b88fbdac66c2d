// SPDX-License-Identifier: Apache-2.0
//
// How many machine instructions each block of PTX became.
//
// Lanes run blocks of PTX in Heddle, and machine code on a GPU. ptxas keeps most of the shape, but
// moves instructions out of loops, drops branches and predicates their sides, copies blocks and
// adds instructions that let lanes meet. So each block of machine code is given to the block of PTX
// that runs exactly when it does:
//
//   1. a branch of PTX of which no jump is left has been predicated: its sides run with it
//   2. a branch that was copied behind one of the ways to it is cut off from that way
//   3. a block of machine code stands for the block whose branch it ends with; where it ends with
//      none, for the one that most of its instructions come from. Loops of both nest alike.
//   4. blocks of machine code that stand for one block and run together add up; those that do not
//      are copies, of which each is run in its turn, or slow paths, which hardly ever are
//
// The result goes into the marks of the blocks (ptx/BlockMark.h).
#pragma once

#include "sass/MachineCode.h"

#include <llvm/IR/Module.h>

namespace heddle::sass {

/// Fills in the marks of all functions of which there is machine code; removes those of others.
/// `ptx` is the text that the module was read from.
void matchBlocks(llvm::Module& module, std::string_view ptx, const std::vector<Routine>& routines);

} // namespace heddle::sass
