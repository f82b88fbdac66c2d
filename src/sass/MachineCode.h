// SPDX-License-Identifier: Apache-2.0
//
// What ptxas wrote: the machine instructions of each routine, as far as control flow goes, each
// with the line of the PTX that it comes from (`ptxas -lineinfo`). Volta and later, whose
// instructions have 16 bytes. Encodings were read from what cuobjdump prints of programs for sm_80
// and sm_90; NVIDIA does not document them.
#pragma once

#include "ptx/MachinePlan.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sass {

enum class Kind : std::uint8_t {
  Plain,
  Memory,  ///< loads, stores, atomics and barriers: what must run as often as the source says
  Branch,  ///< BRA
  Table,   ///< BRX: a jump through a table
  Exit,    ///< EXIT
  Return,  ///< RET
  Call,    ///< CALL
  Open,    ///< BSSY: those that run it will meet
  Wait,    ///< BSYNC: where they do
  Nothing, ///< NOP, which fills the end
};

struct Instruction {
  std::uint32_t line = 0; ///< of the PTX; 0 where it is not known
  Kind kind = Kind::Plain;
  bool conditional = false;            ///< it has a predicate
  std::optional<std::uint32_t> target; ///< of Branch: an index; of Open: behind the place to meet
  ptx::PlannedInstruction plan = {};
  bool scales = false; ///< of FMUL: by a power of two besides
};

struct Routine {
  std::string name; ///< as in PTX
  std::vector<Instruction> code;
  std::vector<std::uint32_t> entries; ///< where it and the functions behind it begin
  /// Those of them that are helpers of ptxas: the slow paths of division and the like.
  std::vector<std::uint32_t> helpers;
};

/// `architecture` is 90 for sm_90. Refuses what is no such file.
Expected<std::vector<Routine>> readMachineCode(std::string_view cubin, int architecture);

} // namespace heddle::sass
