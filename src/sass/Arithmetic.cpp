// SPDX-License-Identifier: Apache-2.0
#include "sass/Arithmetic.h"

#include <algorithm>
#include <map>

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

bool isFused(std::uint16_t code) {
  return code == FFma || code == DFma;
}

bool isSum(std::uint16_t code) {
  return code == FAdd || code == DAdd || isFused(code);
}

/// A loop: from where a branch goes back to up to the branch.
struct Range {
  std::size_t begin, end;

  bool has(std::size_t instruction) const { return instruction >= begin && instruction <= end; }
};

std::vector<Range> loopsOf(const Routine& routine) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < routine.code.size(); ++i) {
    const Instruction& instruction = routine.code[i];
    if (instruction.kind == Kind::Branch && instruction.target && *instruction.target < i)
      found.push_back({*instruction.target, i});
  }
  return found;
}

/// Sums of each line, as they stand in a routine.
void addSums(const Routine& routine, ptx::ArithmeticOfLines& found) {
  const std::vector<Range> loops = loopsOf(routine);
  std::map<std::uint32_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < routine.code.size(); ++i)
    if (isSum(routine.code[i].plan.code))
      places[routine.code[i].line].push_back(i);
  for (const auto& [line, sums] : places)
    for (const std::size_t sum : sums) {
      const bool isLoop = std::ranges::any_of(loops, [&](const Range& loop) {
        return loop.has(sum) &&
               !std::ranges::all_of(sums, [&](std::size_t other) { return loop.has(other); });
      });
      const Instruction& at = routine.code[sum];
      found[line].sums.push_back({isFused(at.plan.code), isLoop, at.conditional});
    }
}

} // namespace

ptx::ArithmeticOfLines arithmeticOfLines(const std::vector<Routine>& routines) {
  ptx::ArithmeticOfLines found;
  for (const Routine& routine : routines) {
    addSums(routine, found);
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
  }
  return found;
}

} // namespace heddle::sass
