// SPDX-License-Identifier: Apache-2.0
//
// What the front end knows: one row is one instruction with the modifiers and types it may have
// and the function that lowers it. docs/ptx.md lists the same rows.
#pragma once

#include "ptx/Form.h"

#include <span>
#include <string_view>

namespace heddle::ptx {

class FunctionLowering;

enum class Effect : std::uint8_t {
  None, ///< writes registers only: under a guard, a selection
  Acts  ///< memory, other threads, control: under a guard, a branch around it
};

struct Row {
  std::string_view opcode;
  std::string_view modifiers; ///< that it may have
  std::string_view types;     ///< that its last type may be; "-": it has none
  std::uint8_t least, most;   ///< operands
  Effect effect;
  void (*lower)(FunctionLowering&, const Form&);
};

std::span<const Row> instructionRows();

/// The row that an instruction is of; nothing where there is none.
const Row* findRow(const Form& form);

} // namespace heddle::ptx
