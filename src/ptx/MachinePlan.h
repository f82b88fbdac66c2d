// SPDX-License-Identifier: Apache-2.0
//
// The machine instructions that a block of PTX became, with what ptxas planned for each: how long
// the warp waits before it issues the next one, and on which results of memory and other slow units
// an instruction waits. It is kept with the mark at the block's beginning (BlockMark.h).
#pragma once

#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::ptx {

inline constexpr int scoreboards = 6; ///< counters of a warp for what is not there yet

struct PlannedInstruction {
  std::uint32_t line = 0; ///< of the PTX
  std::uint16_t code = 0; ///< which instruction: the low 9 bits of its encoding
  std::uint8_t stall = 1; ///< cycles until the warp's next one
  std::uint8_t waits = 0; ///< a bit for each scoreboard it waits for
  std::int8_t sets = -1;  ///< scoreboard that its result clears
  std::int8_t reads = -1; ///< scoreboard that is cleared when its operands have been read
  bool endsBlock = false; ///< a jump, a call, a return

  bool operator==(const PlannedInstruction&) const = default;
};

struct MachinePlan {
  std::uint8_t rounds = 1; ///< of the loop around it that the instructions are
  std::vector<PlannedInstruction> code;

  bool operator==(const MachinePlan&) const = default;
};

void setPlan(llvm::Instruction& mark, const MachinePlan& plan);
std::optional<MachinePlan> planOf(const llvm::Instruction& mark);

/// The line of PTX that an instruction of LLVM was made from; 0 where it is not known.
void setPtxLine(llvm::Instruction& instruction, std::uint32_t line);
std::uint32_t ptxLineOf(const llvm::Instruction& instruction);

} // namespace heddle::ptx
