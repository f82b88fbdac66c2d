// SPDX-License-Identifier: Apache-2.0
//
// Marks at the beginning and the end of each block of PTX: which lines the block has and, where
// ptxas has been asked, how many machine instructions it became. More marks tell where it announces
// a meeting of lanes. They are calls of LLVM's own for
// such things, which passes move with the code, and do nothing.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace heddle::ptx {

/// Which parts of a warp come to the beginning of a block one by one and go on as one.
enum class Meeting : std::uint8_t {
  None,
  All,    ///< those that come by any way
  ByGoing ///< of a loop's first block: those that come round again
};

struct BlockMark {
  static constexpr std::uint32_t announces = ~std::uint32_t{0};

  std::uint32_t firstLine = 0; ///< of the PTX
  /// 0 for the mark at the beginning; `announces`: lanes that come here meet at the block that
  /// begins with `firstLine`.
  std::uint32_t lastLine = 0;
  std::optional<std::uint32_t> length; ///< at the end: machine instructions
  bool isJump = false;                 ///< at the end: its branch is one of the machine, too
  Meeting meeting = Meeting::None;     ///< at the beginning

  bool isBegin() const { return lastLine == 0; }
  bool isAnnouncement() const { return lastLine == announces; }
};

void addMark(llvm::IRBuilder<>& builder, const BlockMark& mark);

/// Nothing for other instructions.
std::optional<BlockMark> markOf(const llvm::Instruction& instruction);

/// Puts another mark in the place of one.
void setMark(llvm::Instruction& instruction, const BlockMark& mark);

} // namespace heddle::ptx
