// SPDX-License-Identifier: Apache-2.0
//
// What the instructions of tensor cores share: fragments as words, and the call that a whole warp
// makes of a function that the engine has (engine/MatrixMultiply.h).
#pragma once

#include "ptx/FunctionLowering.h"

#include <array>
#include <optional>

namespace heddle::ptx {

using Words = llvm::SmallVector<llvm::Value*, 16>;

/// All lanes take part, so the mask is full; results are words.
llvm::Value* callWarp(FunctionLowering& f, const std::string& name, unsigned results,
                      llvm::ArrayRef<llvm::Value*> operands);

/// Appends the registers of a fragment as words; false where they are not as many as asked for.
bool readFragment(FunctionLowering& f, const Operand& from, unsigned words, bool isDouble,
                  Words& result);

/// From a struct of words.
void writeFragment(FunctionLowering& f, const Operand& to, bool isDouble, llvm::Value* from);
void writeWords(FunctionLowering& f, const Operand& to, bool isDouble,
                llvm::ArrayRef<llvm::Value*> words);

/// "m16n8k16"; nothing of another text.
std::optional<std::array<unsigned, 3>> shapeOf(std::string_view text);

} // namespace heddle::ptx
