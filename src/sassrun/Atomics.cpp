// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations. Lanes have their turns in ascending order.
#include "sassrun/Block.h"
#include "sassrun/FloatRules.h"
#include "sassrun/Handlers.h"
#include "sassrun/MemoryForms.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::sassrun {
namespace atomics {
namespace {

/// Bits 87 to 90. Reductions have three of them, and no exchange.
enum class Change : std::uint8_t { Add, Min, Max, Increment, Decrement, And, Or, Xor, Exchange };
constexpr std::uint64_t changeCount = 9, countLanesOnly = 11;

/// Bits 73 to 76, of integers and of floats.
enum class Integer : std::uint8_t { Unsigned32, Signed32, Unsigned64, Signed64 };
constexpr std::uint64_t integerCount = 4;
enum class Float : std::uint8_t {
  Halves = 0,
  Bfloats = 3,
  FlushedSingle = 9,
  Single = 12,
  Double = 15
};

/// Bits 87 to 90 of a comparison and exchange: returns what was there, or whether it was changed.
constexpr std::uint64_t returnsOld = 0, returnsSuccess = 3;

constexpr unsigned plainForm = 1, countingForm = 7;

bool isReduction(const Encoding& code) {
  return code.operation() == Operation::Redg || code.operation() == Operation::RedgFloat;
}

std::uint64_t changeOf(const Encoding& code) {
  return code.bits(87, isReduction(code) ? 3 : 4);
}

std::uint64_t typeOf(const Encoding& code) {
  return code.bits(73, 4);
}

bool isWide(Integer type) {
  return type == Integer::Unsigned64 || type == Integer::Signed64;
}

template <class Unsigned>
Unsigned changed(Change change, bool isSigned, Unsigned old, Unsigned operand) {
  using Signed = std::make_signed_t<Unsigned>;
  const bool isLess = isSigned ? Signed(operand) < Signed(old) : operand < old;
  switch (change) {
  case Change::Add:
    return old + operand;
  case Change::Min:
    return isLess ? operand : old;
  case Change::Max:
    return isLess ? old : operand;
  case Change::Increment:
    return old >= operand ? 0 : old + 1;
  case Change::Decrement:
    return old == 0 || old > operand ? operand : old - 1;
  case Change::And:
    return old & operand;
  case Change::Or:
    return old | operand;
  case Change::Xor:
    return old ^ operand;
  case Change::Exchange:
    break;
  }
  return operand;
}

std::uint64_t changedInteger(Change change, Integer type, std::uint64_t old,
                             std::uint64_t operand) {
  const bool isSigned = type == Integer::Signed32 || type == Integer::Signed64;
  if (isWide(type))
    return changed<std::uint64_t>(change, isSigned, old, operand);
  return changed<std::uint32_t>(change, isSigned, std::uint32_t(old), std::uint32_t(operand));
}

/// Two numbers of 16 bits in one word.
std::uint32_t sumOfHalves(const FloatFormat& format, std::uint32_t left, std::uint32_t right) {
  const auto sum = [&](unsigned shift) {
    const double exact =
        widened(left >> shift & 0xffff, format) + widened(right >> shift & 0xffff, format);
    return narrowed(exact, format, Rounding::Nearest) << shift;
  };
  return sum(0) | sum(16);
}

std::uint64_t sumOf(Float type, std::uint64_t left, std::uint64_t right) {
  const auto low = std::uint32_t(left), other = std::uint32_t(right);
  switch (type) {
  case Float::Halves:
    return sumOfHalves(halfFormat, low, other);
  case Float::Bfloats:
    return sumOfHalves(bfloatFormat, low, other);
  case Float::FlushedSingle:
    return flushed(canonical(floatOf(flushed(low)) + floatOf(flushed(other))));
  case Float::Single:
    return canonical(floatOf(low) + floatOf(other));
  case Float::Double:
    break;
  }
  const double sum = doubleOf(left) + doubleOf(right);
  const bool isMade =
      sum != sum && doubleOf(left) == doubleOf(left) && doubleOf(right) == doubleOf(right);
  return isMade ? doubleNan : bitsOf(sum);
}

bool isKnownFloat(std::uint64_t type) {
  return type == std::uint64_t(Float::Halves) || type == std::uint64_t(Float::Bfloats) ||
         type == std::uint64_t(Float::FlushedSingle) || type == std::uint64_t(Float::Single) ||
         type == std::uint64_t(Float::Double);
}

std::uint64_t operandOf(const Warp& warp, unsigned index, int lane, bool isWide) {
  return isWide ? warp.getPair(index, lane) : warp.get(index, lane);
}

void setResult(Warp& warp, unsigned index, int lane, bool isWide, std::uint64_t value) {
  if (isWide)
    warp.setPair(index, lane, value);
  else
    warp.set(index, lane, std::uint32_t(value));
}

/// Reductions return nothing, and have other bits where the rest has the register.
unsigned resultOf(const Instruction& instruction) {
  return isReduction(instruction.code) ? zeroRegister : instruction.result;
}

/// What was there; the new value is computed from it. Nothing where the warp has failed.
template <class Compute>
std::optional<std::uint64_t> update(Warp& warp, int lane, const Location& at, bool isWide,
                                    Compute compute) {
  if (at.space == Space::Local) {
    warp.fail("has an atomic operation on local memory");
    return {};
  }
  const std::size_t size = isWide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  std::uint64_t old = 0;
  if (!readMemory(warp, lane, at, &old, size))
    return {};
  const std::uint64_t made = compute(old);
  if (!writeMemory(warp, lane, at, &made, size))
    return {};
  return old;
}

void changeInteger(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto form = atomicFormOf(code);
  const auto change = Change(changeOf(code));
  const auto type = Integer(typeOf(code));
  const auto data = unsigned(code.bits(32, 8));
  forEachLane(lanes, [&](int lane) {
    const std::uint64_t operand = operandOf(warp, data, lane, isWide(type));
    const auto old =
        update(warp, lane, form->at(warp, lane), isWide(type),
               [&](std::uint64_t found) { return changedInteger(change, type, found, operand); });
    if (old)
      setResult(warp, resultOf(instruction), lane, isWide(type), *old);
  });
}

/// ATOMS.POPC.INC: each lane adds one.
void countLanesAt(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto offset = std::uint32_t(code.signedBits(40, 24));
  const std::uint32_t uniform = warp.uniform(unsigned(code.bits(64, 6)));
  forEachLane(lanes, [&](int lane) {
    const Location at{Space::Shared, warp.get(instruction.a.index, lane) + uniform + offset};
    update(warp, lane, at, false, [](std::uint64_t found) { return found + 1; });
  });
}

void changeShared(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  if (instruction.code.form() == countingForm)
    countLanesAt(warp, instruction, lanes);
  else
    changeInteger(warp, instruction, lanes);
}

/// Only global memory adds floats. A generic address elsewhere leaves all as it is, and says so in
/// a predicate.
void addFloat(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto form = atomicFormOf(code);
  const auto type = Float(typeOf(code));
  const bool isWide = type == Float::Double;
  const auto data = unsigned(code.bits(32, 8));
  const LaneMask done = lanesWhere(lanes, [&](int lane) {
    const Location at = form->at(warp, lane);
    if (at.space != Space::Global)
      return false;
    const std::uint64_t operand = operandOf(warp, data, lane, isWide);
    const auto old = update(warp, lane, at, isWide,
                            [&](std::uint64_t found) { return sumOf(type, found, operand); });
    if (old)
      setResult(warp, resultOf(instruction), lane, isWide, *old);
    return true;
  });
  if (isReduction(code))
    return;
  const auto predicate = unsigned(code.bits(81, 3));
  if (predicate == truePredicate && done != lanes)
    warp.fail("adds a float outside of global memory");
  warp.setPredicate(predicate, lanes, done);
}

/// Of lanes that want one word, one gets it: those that ask whether they did go round again
/// (ATOMS.CAST.SPIN, of which ptxas makes what shared memory cannot do itself).
void compareAndExchange(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto form = atomicFormOf(code);
  const bool wide = isWide(Integer(typeOf(code)));
  const bool returnsItself = code.bits(87, 4) == returnsOld;
  std::vector<std::uint64_t> taken;
  forEachLane(lanes, [&](int lane) {
    const std::uint64_t address = form->at(warp, lane).address;
    if (!returnsItself && std::ranges::find(taken, address) != taken.end())
      return setResult(warp, instruction.result, lane, wide, 0);
    const std::uint64_t expected = operandOf(warp, unsigned(code.bits(32, 8)), lane, wide);
    const std::uint64_t wanted = operandOf(warp, unsigned(code.bits(64, 8)), lane, wide);
    const auto old = update(warp, lane, form->at(warp, lane), wide, [&](std::uint64_t found) {
      return found == expected ? wanted : found;
    });
    if (!old)
      return;
    if (*old == expected)
      taken.push_back(address);
    setResult(warp, instruction.result, lane, wide,
              returnsItself ? *old : std::uint64_t{*old == expected});
  });
}

constexpr HandlerEntry handlers[] = {
    {Operation::Atom, changeInteger},          {Operation::Atomg, changeInteger},
    {Operation::Redg, changeInteger},          {Operation::Atoms, changeShared},
    {Operation::AtomFloat, addFloat},          {Operation::AtomgFloat, addFloat},
    {Operation::RedgFloat, addFloat},          {Operation::AtomCas, compareAndExchange},
    {Operation::AtomgCas, compareAndExchange}, {Operation::AtomsCas, compareAndExchange},
};

bool isKnownCount(const Encoding& code) {
  return code.operation() == Operation::Atoms && changeOf(code) == countLanesOnly &&
         typeOf(code) == 0 && code.bit(91) && code.bits(16, 8) == zeroRegister;
}

bool isKnownComparison(const Encoding& code) {
  const auto returns = code.bits(87, 4);
  return code.form() == plainForm && (returns == returnsOld || returns == returnsSuccess) &&
         (typeOf(code) == std::uint64_t(Integer::Unsigned32) ||
          typeOf(code) == std::uint64_t(Integer::Unsigned64));
}

/// Whether it writes a predicate besides its register.
bool writesPredicate(const Encoding& code) {
  const unsigned operation = code.operation();
  const bool has =
      !isReduction(code) && operation != Operation::Atoms && operation != Operation::AtomsCas;
  return has && code.bits(81, 3) != truePredicate;
}

} // namespace
} // namespace atomics

std::span<const HandlerEntry> atomicHandlers() {
  return atomics::handlers;
}

bool hasKnownAtomicForm(const Encoding& code) {
  using namespace atomics;
  if (code.form() == countingForm)
    return isKnownCount(code);
  if (!atomicFormOf(code))
    return false;
  switch (code.operation()) {
  case Operation::AtomFloat:
  case Operation::AtomgFloat:
  case Operation::RedgFloat:
    return isKnownFloat(typeOf(code)) && changeOf(code) == std::uint64_t(Change::Add);
  case Operation::AtomCas:
  case Operation::AtomgCas:
  case Operation::AtomsCas:
    return isKnownComparison(code) && !writesPredicate(code);
  default:
    return typeOf(code) < integerCount && changeOf(code) < changeCount && !writesPredicate(code);
  }
}

} // namespace heddle::sassrun
