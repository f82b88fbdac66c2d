// SPDX-License-Identifier: Apache-2.0
//
// A machine instruction, taken apart as far as all arithmetic instructions are alike:
//
//   bits    12 to 15   the predicate that switches lanes off
//           16 to 23   the result
//           24 to 31   operand a, a register
//           32 to 63   operand b: a register, a constant of 32 bits, a word of a constant bank or a
//                      uniform register; in some forms this is operand c, and b stands at 64
//           64 to 71   operand c, a register
//
// The rest means something else for each operation, and is read by what runs it.
#pragma once

#include "sassrun/Encoding.h"
#include "support/LaneMask.h"

#include <cstdint>

namespace heddle::sassrun {

class Warp;
struct Instruction;

/// Runs an instruction for the lanes that its predicate leaves on.
using Handler = void (*)(Warp& warp, const Instruction& instruction, LaneMask lanes);

inline constexpr unsigned zeroRegister = 255;       ///< RZ
inline constexpr unsigned uniformZeroRegister = 63; ///< URZ
inline constexpr unsigned truePredicate = 7;        ///< PT

enum class SourceKind : std::uint8_t { Register, Uniform, Immediate, Constant };

/// Where an operand stands in the instruction: its modifiers stand elsewhere for each.
enum class Slot : std::uint8_t { A, Wide, C };

struct Source {
  SourceKind kind = SourceKind::Register;
  Slot slot = Slot::A;
  std::uint8_t index = zeroRegister; ///< of a register
  std::uint8_t bank = 0;             ///< of a constant
  std::uint32_t value = 0;           ///< the constant itself, or its offset in the bank

  /// Of floats; integers use the same bits for other things, but those of negation.
  bool isNegated(const Encoding& code) const {
    return code.bit(slot == Slot::A      ? 72
                    : slot == Slot::Wide ? 63
                                         : 75) &&
           kind != SourceKind::Immediate;
  }
  bool isAbsolute(const Encoding& code) const {
    return code.bit(slot == Slot::A      ? 73
                    : slot == Slot::Wide ? 62
                                         : 74) &&
           kind != SourceKind::Immediate;
  }
};

struct Instruction {
  Encoding code;
  Handler handler = nullptr; ///< nothing for control flow, which the warp itself runs
  std::uint64_t address = 0; ///< of the program: sections lie one after another
  std::uint32_t line = 0;    ///< of the PTX; 0 where it is not known
  std::uint8_t guard = truePredicate;
  bool guardIsNegated = false;
  bool guardIsUniform = false;
  std::uint8_t result = zeroRegister;
  bool isSeenByOthers = false; ///< it uses memory that other warps may use at the same time
  std::uint16_t cycles = 1;    ///< until the warp issues the next one, about
  Source a, b, c;

  /// Of operations with two operands: the second one, wherever the form puts it.
  const Source& second() const {
    return code.form() == 2 || code.form() == 3 || code.form() == 7 ? c : b;
  }
};

inline constexpr unsigned instructionBytes = 16;

/// Whether it is an atomic on memory that all blocks see, with an answer.
bool isGlobalAtomic(const Encoding& code);

/// Without its handler, address and line.
Instruction decode(const Encoding& code);

} // namespace heddle::sassrun
