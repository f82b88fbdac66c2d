// SPDX-License-Identifier: Apache-2.0
#include "sass/Arithmetic.h"

namespace heddle::sass {
namespace {

enum Arithmetic : std::uint16_t {
  FMul = 0x020,
  FAdd = 0x021,
  FFma = 0x023,
  DMul = 0x028,
  DAdd = 0x029,
  DFma = 0x02b,
};

} // namespace

ptx::ArithmeticOfLines arithmeticOfLines(const std::vector<Routine>& routines) {
  ptx::ArithmeticOfLines found;
  for (const Routine& routine : routines)
    for (const Instruction& instruction : routine.code)
      switch (instruction.plan.code) {
      case FAdd:
      case DAdd:
        found[instruction.line].adds = true;
        break;
      case FFma:
      case DFma:
        found[instruction.line].fuses = true;
        break;
      case FMul:
      case DMul:
        found[instruction.line].multiplies = true;
        found[instruction.line].scales |= instruction.scales;
        break;
      default:
        break;
      }
  return found;
}

} // namespace heddle::sass
